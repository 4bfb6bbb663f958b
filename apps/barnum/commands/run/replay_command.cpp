#include "base/current_directory.hpp"
#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/parse.hpp"
#include "commands.hpp"
#include "commands/run/earlier_options.hpp"
#include "commands/run/read_run_options.hpp"
#include "commands/run/replay_options.hpp"
#include "commands/run/run_command.hpp"
#include "commands/run/run_option_table.hpp"
#include "config/file_text.hpp"
#include "config/instructions.hpp"
#include "displays/log_colors.hpp"
#include "fail.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"
#include "json/json.hpp"
#include "launch/earlier_log.hpp"
#include "launch/first_tasks.hpp"
#include "launch/run_files.hpp"
#include "live_run/agent_groups.hpp"
#include "live_run/recorded_task.hpp"
#include "live_run/replay_text.hpp"
#include "live_run/task_replay.hpp"
#include "pool_client/new_id.hpp"
#include "process/orphans.hpp"
#include "runner/outcome.hpp"
#include "runner/redacted.hpp"
#include "runner/run_mark.hpp"
#include "runs/run_lookup.hpp"
#include "terminal/color.hpp"
#include "terminal/size.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>

#include <iostream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace barnum {

namespace asio = boost::asio;

namespace {

constexpr const char* replay_details = R"(Examples:
  barnum replay last 12
      Makes one attempt at task 12 of the run that was started last, as the run did. `barnum inspect last` shows the
      numbers of the tasks.
  barnum replay last 12 | jq -r '.[].kind'
      Only the response is printed on stdout.
  barnum replay last 12 --value '{"file": "other.md"}'
      The same with another value, which must match the schema of the step.
  barnum replay last 12 --instructions new.md --agent claude,model=opus
      The same with other instructions, by an agent that works for this task only.

The attempt consists of the pre hook, the action and the post hook of the step in the config that the state log
contains, or of a finally. The tasks of its response are checked, but not started; a failed attempt is not retried.
Nothing is written to the run's directory or its state log, and the run may be in any state. Commands run where those of
the run do, with a BARNUM_RUN_ID of their own. The pool and the agents are those of the run (docs/runs.md).

stdout: the response. stderr: the log, and how the response differs from the recorded one.

Exit codes: 0 the attempt succeeded, whether or not its response differs; 1 it failed, or no agent can do the task; 2
the command line, the value or the instructions are invalid, or there is no such task, and nothing was started; 69 the
pool could not be reached; 74 the state log is damaged, or the response could not be written; 130 and 143 ended by
SIGINT and SIGTERM.
)";

bool colors_stderr() {
    return terminal::wants_color(terminal::Color::automatic, terminal::is_terminal(STDERR_FILENO),
                                 terminal::Environment::current());
}

base::Result<void> change_value(live_run::RecordedTask& task, const std::string& argument) {
    auto value = launch::read_value(task.config->step(task.attempt.step), argument, "--value");
    if (!value) return value.error();
    task.attempt.value = std::make_shared<const std::string>(std::move(*value));
    return {};
}

base::Result<std::string> read_instructions(const std::string& path) {
    auto text = config::read_linked_file(path);
    if (!text)
        return base::Error{text.error().code,
                           base::concat("--instructions: the file ", path, " ", text.error().message)};
    if (json::invalid_utf8(*text))
        return base::invalid(base::concat("--instructions: the file ", path, " is not valid UTF-8"));
    return text;
}

base::Result<void> change_instructions(live_run::RecordedTask& task, const std::string& path) {
    const config::Step& step = task.config->step(task.attempt.step);
    if (task.attempt.is_finally || !step.is_pool() || config::command_of(step) != nullptr)
        return base::invalid(base::concat("--instructions are for an agent, and ",
                                          runner::label(*task.config, task.attempt),
                                          " is done by a shell command"));
    auto text = read_instructions(path);
    if (!text) return text.error();
    auto changed = std::make_shared<config::WorkflowConfig>(*task.config);
    config::set_instructions(*changed, task.attempt.step, std::move(*text));
    task.config = std::move(changed);
    return {};
}

base::Result<void> change(live_run::RecordedTask& task, const ReplayOptions& replay) {
    if (!task.attempt.is_finally && task.config->step(task.attempt.step).is_human())
        return base::invalid(base::concat(runner::label(*task.config, task.attempt),
                                          " is done by a person: there is no attempt to make again"));
    if (replay.value)
        if (auto changed = change_value(task, *replay.value); !changed) return changed;
    if (replay.instructions) return change_instructions(task, *replay.instructions);
    return {};
}

// The paths in `replay` are absolute.
base::Result<launch::RunOptions> run_options(const runs::NamedRun& run, const ReplayOptions& replay,
                                             const cli::Options& given) {
    std::vector<cli::Option> global = cli::options_of(global_option_table());
    std::vector<std::string> recorded;
    if (run.found) recorded = run.found->record.options;
    auto arguments = arguments_for(run, run_arguments(recorded, replay), global, given);
    if (!arguments) return arguments.error();
    return read_run_options(cli::parse(run_command(), global, *arguments));
}

// A budget is for all tasks of a run, and may not allow agents whose cost is unknown.
std::shared_ptr<const config::WorkflowConfig> without_budget(
    std::shared_ptr<const config::WorkflowConfig> config) {
    if (!config->budget) return config;
    auto changed = std::make_shared<config::WorkflowConfig>(*config);
    changed->budget.reset();
    return changed;
}

// What the attempt needs besides its task.
base::Result<live_run::ReplayPlan> plan_replay(const live_run::RecordedTask& task,
                                               launch::RunOptions& options) {
    auto config = launch::config_to_continue(without_budget(task.config), options.directory);
    if (!config) return config.error();
    auto directory = pool_protocol::locate(options.root, options.pool);
    if (!directory) return directory.error();
    live_run::ReplayPlan plan{std::move(*config), task.attempt, pool_client::new_id(), std::move(*directory),
                              *options.resume_from};
    if (!plan.uses_pool()) return plan;
    if (auto usable = live_run::add_config_agents(options, *plan.config); !usable) return usable.error();
    if (!options.has_own_pool()) return plan;
    options.fail_fast = true;  // nobody else can do the task
    plan.pool = live_run::own_pool(options.root, plan.run_id);
    return plan;
}

struct Replayed {
    std::optional<int> exit_code;  // if there is no result, or it does not matter
    std::optional<workflow::AttemptEnd> end;
};

Replayed run_attempt(const launch::RunOptions& options, live_run::ReplayPlan plan) {
    std::vector<std::string> leftovers{launch::results_directory("", plan.run_id),
                                       launch::attempts_directory("", plan.run_id)};
    if (plan.uses_pool() && options.has_own_pool()) leftovers.push_back(plan.pool.path);
    auto guard = process::Guard::start(runner::run_mark(plan.run_id), {}, leftovers);
    if (!guard) io::log::warn(guard.error().message, "; commands may outlive this process if it is killed");
    asio::io_context context(1);
    auto strand = asio::make_strand(context);
    live_run::TaskReplay replay(strand, options, std::move(plan), guard ? &*guard : nullptr);
    io::TaskGroup guarding(strand, io::end_process);
    if (guard) guarding.spawn("guard", guard->watch());
    guarding.spawn("orphans", process::reap_orphans());
    asio::co_spawn(strand, replay.main(), [&](std::exception_ptr exception) {
        guarding.cancel();
        if (exception) std::rethrow_exception(exception);
    });
    io::run_loop(context);
    return {replay.exit_code(), replay.end()};
}

void report_usage(const config::WorkflowConfig& config, const runner::Attempt& attempt,
                  const workflow::AttemptEnd& end) {
    if (!end.report) return;
    runner::Outcome outcome;
    outcome.usage.add(attempt.step, *end.report);
    io::log::info("the agent has used:", runner::usage(config, outcome));
}

int report(const live_run::RecordedTask& task, const workflow::AttemptEnd& end,
           const output::Redaction& redaction) {
    report_usage(*task.config, task.attempt, end);
    const auto* failure = std::get_if<workflow::Failure>(&end.result);
    if (failure) {
        io::log::error(runner::label(*task.config, task.attempt),
                       ": failed: ", runner::redacted(&redaction, failure->message));
    } else {
        io::unblock_ending_signals();  // a signal ends it also if nobody reads the response
        std::cout << live_run::response_text(*task.config,
                                             std::get<std::vector<config::NewTask>>(end.result));
        std::cout.flush();
    }
    std::string text = live_run::comparison(*task.config, task.result, end.result, colors_stderr());
    io::log::put_on_stderr(runner::redacted(&redaction, text));
    return failure ? base::ExitCode::failure : base::ExitCode::ok;
}

int replay(const runs::NamedRun& run, live_run::RecordedTask task, ReplayOptions arguments,
           const cli::Options& given) {
    if (auto changed = change(task, arguments); !changed)
        return fail(base::ExitCode::usage, changed.error().message);
    if (arguments.transcripts) {
        auto transcripts = base::absolute_path(*arguments.transcripts);
        if (!transcripts) return fail(base::ExitCode::usage, transcripts.error().message);
        arguments.transcripts = std::move(*transcripts);
    }
    auto options = run_options(run, arguments, given);
    if (!options) return fail(base::ExitCode::usage, options.error().message);
    io::log::set_level(options->log_level);
    io::log::use_format(options->log_format);
    if (colors_stderr()) io::log::set_presenter(displays::with_colors);
    if (auto entered = enter_directory(run); !entered)
        return fail(base::ExitCode::usage, entered.error().message);
    auto current = base::current_directory();
    if (!current) return fail(base::ExitCode::usage, current.error().message);
    options->directory = std::move(*current);
    auto plan = plan_replay(task, *options);
    if (!plan) return fail(base::ExitCode::usage, plan.error().message);
    if (arguments.has_agents() && !plan->uses_pool())
        io::log::warn("no agents are started: the task is done by a shell command");
    io::log::info("replaying ", runner::label(*task.config, task.attempt), " of ", run.log);
    Replayed replayed = run_attempt(*options, std::move(*plan));
    if (replayed.exit_code) return *replayed.exit_code;
    return report(task, *replayed.end, *launch::redaction_for(options->redacts, *task.config));
}

int replay_attempt(const cli::Options& given) {
    io::ignore_unwanted_signals();
    auto arguments = cli::read(replay_option_table(), given);
    auto named = runs::find_named_run(arguments.run);
    if (!named) return fail(base::ExitCode::usage, named.error().message);
    auto task = live_run::read_recorded_task(named->log, arguments.task);
    if (!task) {
        bool is_none = task.error().code == boost::system::errc::invalid_argument;
        return fail(is_none ? base::ExitCode::usage : base::ExitCode::io_error, task.error().message);
    }
    return replay(*named, std::move(*task), std::move(arguments), given);
}

}  // namespace

cli::Command replay_command() {
    return {"replay", "Do one task of a run again, alone, and compare its response.", replay_details,
            cli::options_of(replay_option_table()), replay_attempt};
}

}  // namespace barnum
