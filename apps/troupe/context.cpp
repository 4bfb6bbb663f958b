#include "context.hpp"

#include "io/log.hpp"
#include "io/signals.hpp"
#include "pool_client/find_pools.hpp"

#include <boost/asio/co_spawn.hpp>

#include <iostream>

namespace troupe {

namespace asio = boost::asio;
namespace po = boost::program_options;
using pool_protocol::PoolDirectory;

namespace {

constexpr unsigned line_length = 100;
constexpr double longest_seconds = 1e9;

void set_log_level(const std::string& name) {
    io::log::set_level(io::log::parse_level(name).value());  // one of the choices
}

cli::Completion names_of(const cli::Line& line, PoolChoice choice) {
    cli::Completion found;
    for (const auto& pool : pool_client::name_pools(line.value("root")))
        if (choice == PoolChoice::any || pool.seems_served)
            found.candidates.push_back({pool.id, pool.seems_served ? "running" : "stopped"});
    return found;
}

}  // namespace

po::options_description global_options() {
    po::options_description options("Options of every command", line_length);
    options.add_options()(
        "root", po::value<std::string>()->value_name("DIR"),
        "where pools live, in DIR/pools/POOL (default: $TROUPE_ROOT, else $AGENT_POOL_ROOT, else "
        "/tmp/troupe)")(
        "log-level,l",
        po::value<std::string>()->value_name("LEVEL")->default_value("info")->notifier(set_log_level),
        "off, error, warn, info, debug or trace; the log goes to stderr")("help,h", "print help");
    return options;
}

cli::ValuesByOption global_option_values() {
    return {{"root", cli::directories()},
            {"log-level", cli::one_of({"off", "error", "warn", "info", "debug", "trace"})}};
}

void add_pool_option(cli::Command& command, PoolChoice choice) {
    command.options.add_options()("pool", po::value<std::string>()->value_name("POOL"),
                                  "the pool's id: letters, digits, '_' and '-' (default: default)");
    command.values["pool"] = cli::found_by([=](const cli::Line& line) { return names_of(line, choice); });
}

base::Result<PoolDirectory> pool_of(const cli::Options& options) {
    auto text = [&](const char* name) {
        return options.count(name) > 0 ? options[name].as<std::string>() : "";
    };
    return pool_protocol::locate(text("root"), text("pool"));
}

std::chrono::milliseconds seconds_option(const cli::Options& options, const char* name, bool zero_allowed) {
    double seconds = options[name].as<double>();
    if (!(seconds >= 0) || seconds > longest_seconds || (seconds == 0 && !zero_allowed))
        throw po::error(base::concat("--", name, " must be a number of seconds ",
                                     zero_allowed ? "from 0" : "greater than 0, and", " up to 1000000000"));
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

int run_loop(std::function<asio::awaitable<int>(asio::io_context&)> command) {
    io::ignore_unwanted_signals();
    asio::io_context loop(1);
    int exit_code = cli::failure;
    asio::co_spawn(loop, command(loop), [&](std::exception_ptr exception, int code) {
        exit_code = code;
        if (!exception) return;
        exit_code = cli::failure;
        try {
            std::rethrow_exception(exception);
        } catch (const std::exception& error) {
            io::log::error("internal error: ", std::string_view(error.what()));
        }
    });
    loop.run();
    return exit_code;
}

int fail(const base::Error& error, int exit_code) {
    std::cerr << "troupe: " << error.message << "\n";
    return exit_code;
}

}  // namespace troupe
