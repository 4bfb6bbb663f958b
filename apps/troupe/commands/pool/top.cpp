#include "base/exit_code.hpp"
#include "commands.hpp"
#include "commands/pool/status_watch.hpp"
#include "context.hpp"
#include "pool_client/status_query.hpp"
#include "pool_view/status_view.hpp"
#include "screen/full_screen.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace troupe {

namespace asio = boost::asio;

namespace {

class OnScreen : public StatusDisplay {
  public:
    explicit OnScreen(screen::FullScreen& screen) : screen_(screen) {}

    base::Result<void> show(const std::string& answer) override {
        auto status = pool_protocol::parse_status(answer);
        if (status.has_error()) return status.error();
        screen_.show([status = std::move(*status)](terminal::Size size, bool colored) {
            return pool_view::screen_lines(status, {size, colored});
        });
        return {};
    }
    base::Result<void> outage(const std::string& problem) override {
        screen_.show([problem](terminal::Size size, bool colored) {
            return pool_view::screen_lines(problem, {size, colored});
        });
        return {};
    }

  private:
    screen::FullScreen& screen_;
};

// The screen is taken only once there is a daemon to look at: errors before that are for the shell's.
asio::awaitable<int> top(asio::io_context& loop, pool_protocol::PoolDirectory directory) {
    auto first =
        co_await pool_client::ask_status(directory, status_answer_time, pool_client::AskedHosts::all);
    if (first.has_error()) co_return fail(first.error());
    asio::cancellation_signal cancellation;
    std::optional<int> exit_code;
    screen::FullScreen screen(loop, [&](int code) {
        exit_code = code;
        cancellation.emit(asio::cancellation_type::terminal);
    });
    std::shared_ptr<StatusDisplay> display = std::make_shared<OnScreen>(screen);
    base::Error error;
    try {
        error =
            co_await asio::co_spawn(loop, watch_status(directory, display, std::move(*first)),
                                    asio::bind_cancellation_slot(cancellation.slot(), asio::use_awaitable));
    } catch (const boost::system::system_error&) {
        if (!exit_code) throw;
    }
    screen.close();
    co_return exit_code ? *exit_code : fail(error);
}

}  // namespace

cli::Command top_command() {
    cli::Command command;
    command.name = "top";
    command.summary = "Show `troupe status` on the whole screen, updated every second.";
    command.details =
        "Examples:\n"
        "  troupe top --pool reviews\n"
        "\nBusy agents come first, the one that has had its task longest at the top. q or Ctrl-C ends the "
        "display.\nIf the daemon goes away, the display waits for the next one.\n"
        "\nExit codes: 0 it was ended; 1 no daemon serves the pool, or stdout is not a terminal; 2 the "
        "command line is "
        "invalid.\n";
    command.options = {pool_option(PoolChoice::served)};
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        if (!screen::is_possible())
            return fail(
                base::invalid("`troupe top` needs a terminal to draw on; `troupe status` and `troupe "
                              "status --watch` print to files and pipes"));
        return run_loop([=](asio::io_context& loop) { return top(loop, *directory); });
    };
    return command;
}

}  // namespace troupe
