#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "pool_client/status_query.hpp"
#include "status_watch.hpp"

#include <iostream>

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr const char* status_details = R"(Examples:
  troupe status
  troupe status --pool reviews --watch
  troupe status --json | jq '.agents[] | select(.state == "busy" and .for_ms > 60000)'

Counts and times are since the start of the daemon. waiting: from the submission of a task to its assignment; working:
from then until the agent's response. p50 is the median; 99 of 100 tasks took no longer than p99. doing: what
the agent's program did last, and how often it has asked its model. away: agents that are not attached because they rest,
or because their account has reached a usage limit. docs/status.md explains the output, and the fields of --json.

The daemon is asked over its socket, so there is no status in a sandbox without sockets.

Exit codes: 0 the daemon answered; 1 no daemon serves the pool, or it does not answer within 5 s; 2 the command line is
invalid.
)";

std::shared_ptr<StatusDisplay> make_display(bool json, bool again) {
    return json ? json_display() : text_display(again);
}

asio::awaitable<int> once(pool_protocol::PoolDirectory directory, bool json) {
    auto answer =
        co_await pool_client::ask_status(directory, status_answer_time, pool_client::AskedHosts::all);
    if (answer.has_error()) co_return fail(answer.error());
    auto shown = make_display(json, false)->show(*answer);
    if (!std::cout) co_return cli::io_error;  // cli::run() tells
    co_return shown.has_error() ? fail(shown.error()) : cli::ok;
}

asio::awaitable<int> watch(pool_protocol::PoolDirectory directory, bool json) {
    auto display = make_display(json, true);
    base::Error error = co_await watch_status(directory, display);
    // Told by cli::run(), but for `troupe status --watch | head`, which has seen what it wanted.
    if (!std::cout) co_return cli::ok;
    display.reset();  // what it has drawn stays, and the message goes below it
    co_return fail(error);
}

}  // namespace

cli::Command status_command() {
    cli::Command command;
    command.name = "status";
    command.summary = "Show a pool: its agents, its queue, its counts and times.";
    command.details = status_details;
    const cli::Option as_json{"json", cli::none(), "print the status as one line of JSON"};
    const cli::Option watching{
        "watch", cli::none(),
        "repeat it every second, until Ctrl-C; if the daemon goes away, wait for the next one"};
    command.options = {pool_option(PoolChoice::served), as_json, watching};
    command.run = [=](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), cli::usage);
        bool again = cli::is_given(watching, options);
        bool json = cli::is_given(as_json, options);
        return run_interruptible(
            [=](io::DirectoryWatch&) { return again ? watch(*directory, json) : once(*directory, json); });
    };
    return command;
}

}  // namespace troupe
