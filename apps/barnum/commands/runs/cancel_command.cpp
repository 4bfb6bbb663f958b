#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "run_argument.hpp"
#include "runs/next_commands.hpp"
#include "runs/run_end.hpp"
#include "runs/run_process.hpp"

#include <chrono>
#include <csignal>
#include <iostream>
#include <string>

namespace barnum {

namespace {

constexpr const char* cancel_details = R"(Examples:
  barnum cancel last
      Ends the run that was started last, as Ctrl-C in its terminal does, and waits until it has ended.
  barnum cancel nightly --now
      The same, but kills the commands that are running.

What is done stays done, and `barnum resume` continues the run. docs/runs.md explains how runs are named.

Exit codes: 0 the run has ended; 2 there is no such run, or it is not running.
)";

struct CancelArguments {
    std::string run;
    bool now = false;
};

const cli::OptionTable<CancelArguments>& cancel_option_table() {
    using cli::into;
    static const cli::OptionTable<CancelArguments> table{
        {run_argument("the run to end"), into(&CancelArguments::run)},
        {{"now", cli::none(), "end the run at once: its commands are killed"}, into(&CancelArguments::now)}};
    return table;
}

// Acts as a second Ctrl-C. If the run does not react to that either, it is killed, which loses nothing.
base::Result<void> end_at_once(const runs::RunProcess& process) {
    if (process.wait(runs::between_signals)) return {};
    if (auto sent = process.signal_and_continue(SIGTERM); !sent) return sent;
    return process.wait(runs::longest_end) ? base::Result<void>() : process.signal(SIGKILL);
}

std::string tasks_text(const runs::TaskCounts& tasks) {
    std::string text = base::concat(base::counted(tasks.done, "task"), " done, ", tasks.left, " left");
    return tasks.dropped == 0 ? text : base::concat(text, ", ", tasks.dropped, " dropped");
}

void report(const runs::EndedRun& run) {
    std::cout << run.record.id << " " << runs::state_text(run.record, run.state) << ": "
              << tasks_text(run.record.tasks) << "\n";
    if (is_resumable(run.record, run.state))
        std::cout << "Resume it with:\n  " << runs::command_to_resume(run.record.id) << "\n";
}

int cancel(const cli::Options& given) {
    CancelArguments arguments = cli::read(cancel_option_table(), given);
    auto found = runs::find_recorded_run(arguments.run);
    if (!found) return fail(base::ExitCode::usage, found.error().message);
    auto process = runs::RunProcess::open(found->record.process);
    if (!process || found->record.end)
        return fail(base::ExitCode::usage, runs::why_not_running(std::move(*found)));
    auto sent = process->signal_and_continue(SIGTERM);
    if (sent && arguments.now) sent = end_at_once(*process);
    if (!sent) return fail(base::ExitCode::failure, sent.error().message);
    auto ended = runs::wait_for_end(*found);
    if (!ended) return fail(base::ExitCode::failure, ended.error().message);
    report(*ended);
    return base::ExitCode::ok;
}

}  // namespace

cli::Command cancel_command() {
    return {"cancel", "End a run, so that it can be resumed.", cancel_details,
            cli::options_of(cancel_option_table()), cancel};
}

}  // namespace barnum
