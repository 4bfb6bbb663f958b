#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "event_loop.hpp"
#include "fail.hpp"
#include "http/address.hpp"
#include "io/log.hpp"
#include "io/log_signals.hpp"
#include "io/signals.hpp"
#include "io/task_group.hpp"
#include "serve_shell/browser.hpp"
#include "serve_shell/server.hpp"
#include "tls/transport.hpp"
#include "web/access.hpp"
#include "web/token_file.hpp"

#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/program_options/errors.hpp>

#include <chrono>
#include <csignal>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

namespace barnum {

namespace asio = boost::asio;
namespace po = boost::program_options;

namespace {

// The page asks for the same over and over.
constexpr std::chrono::minutes warning_interval{60};

constexpr const char* serve_details = R"(Examples:
  barnum serve
      Serves a page with the runs and pools of this user, until Ctrl-C, and prints the address to open, with a token in
      it.
  barnum serve --open
      The same, and opens the page in the browser.
  ssh -L 7420:127.0.0.1:7420 HOST, and there: barnum serve
      Shows the runs of another machine: open the printed address here.
  barnum serve --listen 0.0.0.0:7420 --tls-cert cert.pem --tls-key key.pem
      For other machines, by TLS.

Whoever has the token can see everything that the runs' logs contain, and can cancel, retry and answer. The token stays
the same, in the file `serve/token` in the state directory: remove it to get another one. docs/serve.md describes the
page, the HTTP interface for programs, and the metrics for Prometheus.

Exit codes: 0 it was ended by a signal; 1 the address cannot be listened on; 2 the command line is invalid;
74 the token cannot be read or written.
)";

struct ServeArguments {
    std::string listen;
    bool open = false;
    std::string certificate;
    std::string key;
    bool insecure = false;
};

const cli::OptionTable<ServeArguments>& serve_option_table() {
    using cli::into;
    static const cli::OptionTable<ServeArguments> table{
        {{"listen",
          cli::text("ADDRESS:PORT", "an address and a port (for example 127.0.0.1:7420)")
              .with_default("127.0.0.1:7420"),
          "where to listen; port 0 stands for a free one"},
         into(&ServeArguments::listen)},
        {{"open", cli::none(), "open the page in the browser ($BROWSER, or xdg-open)"},
         into(&ServeArguments::open)},
        {{"tls-cert", cli::file("FILE", "a certificate in PEM"),
          "serve over HTTPS with this certificate; intermediate certificates may follow it in the file"},
         into(&ServeArguments::certificate)},
        {{"tls-key", cli::file("FILE", "a private key in PEM"), "the private key of the certificate"},
         into(&ServeArguments::key)},
        {{"insecure", cli::none(),
          "listen without TLS at an address that other machines can reach: everybody on the network between "
          "can read what the page shows, and act as you"},
         into(&ServeArguments::insecure)}};
    return table;
}

base::Result<void> read_tls(const ServeArguments& arguments, serve_shell::ServeSettings& settings) {
    if (arguments.certificate.empty() && arguments.key.empty()) return {};
    auto loaded = tls::load({arguments.certificate, arguments.key});
    if (!loaded) return loaded.error();
    if (!loaded->warning.empty()) io::log::warn(loaded->warning);
    settings.has_tls = true;
    settings.transport = std::move(loaded->transport);
    settings.names = std::move(loaded->names);
    return {};
}

base::Result<serve_shell::ServeSettings> settings_of(const ServeArguments& arguments) {
    serve_shell::ServeSettings settings;
    auto address = http::parse_address(arguments.listen);
    if (!address) return base::with_context("--listen", address.error());
    settings.address = *address;
    bool has_tls = !arguments.certificate.empty();
    if (auto safe = web::check_listening(*address, has_tls, arguments.insecure); !safe) return safe.error();
    if (auto read = read_tls(arguments, settings); !read) return read.error();
    return settings;
}

base::Result<std::string> own_token() {
    std::string directory = web::token_directory();
    if (directory.empty())
        return base::invalid("there is no home directory for the token; set XDG_STATE_HOME to a directory");
    return web::read_or_make_token(directory);
}

// The address to open. A server that listens at all addresses is reached at each of them.
std::string url_of(const http::Address& bound, const serve_shell::ServeSettings& settings) {
    auto shown = bound;
    if (bound.address().is_unspecified())
        shown.address(bound.address().is_v4() ? asio::ip::address(asio::ip::address_v4::loopback())
                                              : asio::ip::address(asio::ip::address_v6::loopback()));
    return base::concat(settings.has_tls ? "https://" : "http://", http::address_text(shown),
                        "/#token=", settings.token);
}

void print_address(const http::Address& bound, const serve_shell::ServeSettings& settings,
                   const std::string& url) {
    if (auto warning = web::insecurity_warning(bound, settings.has_tls); !warning.empty())
        io::log::warn(warning);
    std::cout << url << std::endl;
    if (!std::cout) io::log::warn("cannot write the address to stdout, and serves the page all the same");
    io::log::info("the page is served at ", url.substr(0, url.find('#')));
}

asio::awaitable<int> serve(asio::any_io_executor executor, serve_shell::ServeSettings settings, bool open) {
    asio::signal_set signals(executor, SIGINT, SIGTERM);
    if (!io::is_ignored(SIGHUP)) signals.add(SIGHUP);
    io::LogSignals log_signals(executor, io::Hangup::ignored);
    serve_shell::PageServer server(executor, settings);
    auto bound = server.listen();
    if (!bound)
        co_return fail(base::ExitCode::failure, base::with_context("--listen", bound.error()).message);
    std::string url = url_of(*bound, settings);
    print_address(*bound, settings, url);
    io::TaskGroup tasks(executor, io::log_exception);
    if (open) tasks.spawn("the browser", serve_shell::open_browser(url, web::token_directory()));
    co_await signals.async_wait(asio::use_awaitable);
    io::log::info("ending");
    tasks.cancel();
    co_await tasks.join();
    co_await server.stop();
    io::block_ending_signals();
    co_return base::ExitCode::ok;
}

int serve_page(const cli::Options& given) {
    ServeArguments arguments = cli::read(serve_option_table(), given);
    if (arguments.certificate.empty() != arguments.key.empty())
        throw po::error("--tls-cert and --tls-key belong together: give both");
    std::string root = apply_global_options(given);
    io::log::leave_out_repeated_warnings(warning_interval);
    auto settings = settings_of(arguments);
    if (!settings) return fail(base::ExitCode::usage, settings.error().message);
    auto token = own_token();
    if (!token) return fail(base::ExitCode::io_error, token.error().message);
    settings->token = std::move(*token);
    settings->root = std::move(root);
    return run_event_loop(
        [&](const asio::any_io_executor& executor) { return serve(executor, *settings, arguments.open); });
}

}  // namespace

cli::Command serve_command() {
    return {"serve", "Show runs and pools in a browser, live.", serve_details,
            cli::options_of(serve_option_table()), serve_page};
}

}  // namespace barnum
