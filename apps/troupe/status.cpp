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

std::shared_ptr<StatusDisplay> make_display(bool json, bool again) {
    return json ? json_display() : text_display(again);
}

asio::awaitable<int> once(pool_protocol::PoolDirectory directory, bool json) {
    auto answer = co_await pool_client::ask_status(directory, status_answer_time);
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
    command.summary = "Tell how a pool is: its agents, its queue, what it has done and how fast.";
    command.details =
        "Examples:\n"
        "  troupe status\n"
        "  troupe status --pool reviews --watch\n"
        "  troupe status --json | jq '.agents[] | select(.state == \"busy\" and .for_ms > 60000)'\n"
        "\nCounts and times are since the daemon's start. waiting: from a task's submission until an agent "
        "has it; working: from there to the agent's response. Half of them took no longer than p50, 99 of "
        "100 no longer than p99. docs/status.md describes all that it tells, and the fields of --json.\n"
        "\nThe daemon is asked over its socket, so there is no status in a sandbox without sockets.\n"
        "\nExit codes: 0 the daemon answered; 1 no daemon serves the pool, or it does not answer within 5 s; "
        "2 wrong "
        "usage.\n";
    const cli::Option as_json{"json", cli::none(), "as one line of JSON"};
    const cli::Option watching{
        "watch", cli::none(),
        "again every second, until Ctrl-C; if the daemon goes away, wait for the next one"};
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
