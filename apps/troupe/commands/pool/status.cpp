#include "pool_protocol/status.hpp"

#include "base/exit_code.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "commands/pool/status_watch.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "pool_client/status_query.hpp"
#include "pool_view/health.hpp"

#include <chrono>
#include <iostream>
#include <optional>

namespace troupe {

namespace asio = boost::asio;
using pool_view::health_of;
using pool_view::health_without_status;

namespace {

constexpr const char* status_details = R"(Examples:
  troupe status
  troupe status --pool reviews --check --max-queue-age 600
      Prints one line for monitoring: 0 the pool works; 1 warning: there is no agent, the first task has waited for more
      than 600 s, tasks wait for labels that no agent has, it is draining, or without its engine; 2 critical: no daemon
      serves the pool, or it does not answer within 5 s; 3 unknown.
  troupe status --pool reviews --watch
  troupe status --json | jq '.agents[] | select(.state == "busy" and .for_ms > 60000)'

Counts and times are since the start of the daemon. waiting: from the submission of a task to its assignment; working:
from then until the agent's response. p50 is the median; 99 of 100 tasks took no longer than p99. doing: what the
agent's program did last, and how often it has asked its model. away: agents that are not attached because they rest, or
because their account has reached a usage limit. docs/status.md explains the output, and the fields of --json.

The daemon is asked over its socket, so there is no status in a sandbox without sockets.

Exit codes: those above with --check; otherwise 0 the daemon answered; 1 no daemon serves the pool, or it does not
answer within 5 s; 2 the command line is invalid.
)";

std::shared_ptr<StatusDisplay> make_display(bool json, bool again) {
    return json ? json_display() : text_display(again);
}

asio::awaitable<int> once(pool_protocol::PoolDirectory directory, bool json) {
    auto answer =
        co_await pool_client::ask_status(directory, status_answer_time, pool_client::AskedHosts::all);
    if (answer.has_error()) co_return fail(answer.error());
    auto shown = make_display(json, false)->show(*answer);
    if (!std::cout) co_return base::ExitCode::io_error;  // cli::run() tells
    co_return shown.has_error() ? fail(shown.error()) : base::ExitCode::ok;
}

// What cannot be asked is not known; what does not answer is down or hangs.
pool_view::Health health_after(const base::Error& error) {
    return pool_client::is_outage(error) ? pool_view::Health::critical : pool_view::Health::unknown;
}

int tell(const pool_view::HealthReport& report) {
    std::cout << report.line << "\n";
    return static_cast<int>(report.health);
}

asio::awaitable<int> check(pool_protocol::PoolDirectory directory,
                           std::optional<std::chrono::milliseconds> max_queue_age) {
    auto answer =
        co_await pool_client::ask_status(directory, status_answer_time, pool_client::AskedHosts::this_one);
    auto status = answer ? pool_protocol::parse_status(*answer) : answer.error();
    co_return tell(status ? health_of(*status, max_queue_age)
                          : health_without_status(health_after(status.error()), status.error().message));
}

asio::awaitable<int> watch(pool_protocol::PoolDirectory directory, bool json) {
    auto display = make_display(json, true);
    base::Error error = co_await watch_status(directory, display);
    // cli::run() tells of the error, except for `troupe status --watch | head`, which has seen what it
    // wanted.
    if (!std::cout) co_return base::ExitCode::ok;
    display.reset();  // what it has drawn stays, and the message goes below it
    co_return fail(error);
}

struct StatusArguments {
    bool json = false;
    bool watch = false;
    bool check = false;
    std::optional<std::chrono::milliseconds> max_queue_age;
};

const cli::OptionTable<StatusArguments>& status_option_table() {
    using cli::into;
    static const cli::OptionTable<StatusArguments> table{
        {pool_option(PoolChoice::served), {}},
        {{"json", cli::none(), "print the status as one line of JSON"}, into(&StatusArguments::json)},
        {{"watch", cli::none(),
          "repeat it every second, until Ctrl-C; if the daemon goes away, wait for the next one"},
         into(&StatusArguments::watch)},
        {{"check", cli::none(), "print one line, and end with the exit codes of Nagios' plugins"},
         into(&StatusArguments::check)},
        {{"max-queue-age", cli::seconds("N", cli::Zero::refused),
          "with --check: how long the first task of the queue may wait"},
         into(&StatusArguments::max_queue_age)}};
    return table;
}

base::Result<void> check_together(const StatusArguments& arguments) {
    if (arguments.max_queue_age && !arguments.check) return base::invalid("--max-queue-age needs --check");
    if (arguments.check && (arguments.json || arguments.watch))
        return base::invalid("--check cannot be combined with --json or --watch");
    return {};
}

int show(const cli::Options& given) {
    StatusArguments arguments = cli::read(status_option_table(), given);
    if (auto fits = check_together(arguments); fits.has_error())
        return fail(fits.error(), base::ExitCode::usage);
    auto directory = pool_of(given);
    if (directory.has_error() && arguments.check)
        return tell(health_without_status(pool_view::Health::unknown, directory.error().message));
    if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
    return run_interruptible([=](io::DirectoryWatch&) {
        if (arguments.check) return check(*directory, arguments.max_queue_age);
        return arguments.watch ? watch(*directory, arguments.json) : once(*directory, arguments.json);
    });
}

}  // namespace

cli::Command status_command() {
    return {"status", "Show a pool: its agents, its queue, its counts and times.", status_details,
            cli::options_of(status_option_table()), show};
}

}  // namespace troupe
