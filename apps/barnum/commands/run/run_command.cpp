#include "commands/run/run_command.hpp"

#include "agents/start_check.hpp"
#include "base/current_directory.hpp"
#include "base/exit_code.hpp"
#include "base/system_time.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "commands/run/detachment.hpp"
#include "commands/run/dry_run.hpp"
#include "commands/run/printed_commands.hpp"
#include "commands/run/read_run_options.hpp"
#include "commands/run/refusal_code.hpp"
#include "commands/run/run_option_table.hpp"
#include "commands/run/stub_run.hpp"
#include "fail.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"
#include "io/task_group.hpp"
#include "launch/begin_run.hpp"
#include "launch/plan_run.hpp"
#include "launch/run_files.hpp"
#include "live_run/agent_groups.hpp"
#include "live_run/end_notice.hpp"
#include "live_run/run_pool.hpp"
#include "live_run/workflow_run.hpp"
#include "pool_daemon/left_pool.hpp"
#include "problem_output.hpp"
#include "process/guard.hpp"
#include "process/orphans.hpp"
#include "runner/run_mark.hpp"
#include "runs/control_message.hpp"
#include "runs/run_lookup.hpp"
#include "workflow/budget.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>
#include <filesystem>
#include <optional>

namespace barnum {

namespace asio = boost::asio;

namespace {

constexpr const char* run_details = R"(Examples:
  barnum run --config workflow.jsonc
      Begins with one task of the config's entrypoint, with the value {}.
  barnum run --config workflow.jsonc --entrypoint-value '{"directory": "src"}'
      The same with another value, which may also be given as the path of a file.
  barnum run --config workflow.jsonc -p directory=src -p count:=3
      The same with the value {"directory":"src","count":3}.
  barnum run --config workflow.jsonc --initial-state tasks.json
      Begins with the tasks in a file: [{"kind": "Analyze", "value": {}}, …].
  barnum run --config workflow.jsonc --agents 3 --agent-exec ./agent.sh
      Runs three agents, each of which runs ./agent.sh for each of its tasks: task on stdin, response on stdout.
  barnum run --config workflow.jsonc --agent claude=3,model=opus --agent codex
      Runs three agents of Claude Code and one of Codex CLI, in addition to the agents of the config. A key of a list is
      repeated (labels=a,labels=b). In a value, a comma is written \,

  barnum run --config workflow.jsonc --detach
      Prints the id of the run and returns; the run goes on without the terminal. `barnum ps`, `barnum wait` and
      `barnum cancel` take the id.

  barnum run --config workflow.jsonc --dry-run
      Checks the config and the values, and prints what would be started.
  barnum run --config workflow.jsonc --stub
      Walks through the workflow with made-up responses that match the schemas; runs nothing.
  barnum run --resume-from run.ndjson
      Continues a run that was killed or interrupted, from its state log. Tasks that were done are not executed again.
  barnum run --config workflow.jsonc --reuse last
      Runs only the tasks whose step or value is not the same as in that run, or which failed there; takes over the
      results of the others. `barnum why RUN ID` tells why a task ran.
  barnum run --config workflow.jsonc --on-end 'jq -r .result | mail -s "the run has ended" me'
      Runs the command when the run has ended, with a summary of it as JSON on stdin.

If no pool daemon is running (`troupe start`), the run hosts the pool itself; agents attach with `troupe get_task`. When
the run ends, another run that needs the pool hosts it from then on. With agents of its own (--agent, --agents, or
those of the config) and without --pool, the run has a pool of its own, which it does not share with other runs and
agents.

Exit codes: 0 all tasks are done; 1 a task or a finally was dropped, or no agent can do the tasks; 2 the command line,
the config or the input is invalid, and nothing was started; 69 the pool could not be reached; 70 an internal error; 74
the state log is damaged or could not be written; 75 the budget is spent, or only tasks for people are left
(--exit-when-waiting); 130 and 143 ended by SIGINT and SIGTERM. A run that ends before all tasks are done prints the
command that resumes it. A run that has finished with dropped tasks prints the command that shows the reasons.

Log, progress and summary are printed on stderr. docs/progress.md explains the table and the events.
)";

// The guard holds the locks of the logs as well, so that a killed run cannot be resumed before its last
// command has ended.
std::vector<int> held_by_guard(const launch::Beginning& beginning) {
    std::vector<int> fds{beginning.log.fd()};
    if (beginning.resumed) fds.push_back(beginning.resumed->fd());
    return fds;
}

// These files exist only while the run lives. If it is killed, the guard removes them.
std::vector<std::string> removed_by_guard(const launch::OwnRecord& record) {
    std::vector<std::string> files{record.results_path(),
                                   launch::attempts_directory(record.directory(), record.run_id())};
    if (record.has_directory())
        files.push_back(base::concat(record.directory(), "/", runs::control_socket_name));
    return files;
}

struct Ended {
    int exit_code;
    live_run::EndOfRun end;
};

int refused(const launch::Refusal& refusal) {
    if (refusal.kind == launch::Refusal::Kind::nothing_to_do) return base::ExitCode::ok;
    return fail(exit_code_of(refusal.kind), refusal.message);
}

// When it returns, nothing holds the locks of the logs any more.
Ended run_workflow(const launch::RunOptions& options, pool_protocol::PoolDirectory directory,
                   launch::Beginning beginning) {
    auto guard = process::Guard::start(runner::run_mark(beginning.run_id), held_by_guard(beginning),
                                       removed_by_guard(beginning.record));
    if (!guard) io::log::warn(guard.error().message, "; commands may outlive this run if it is killed");
    asio::io_context context(1);
    auto strand = asio::make_strand(context);
    live_run::WorkflowRun workflow_run(strand, options, std::move(directory), std::move(beginning),
                                       guard ? &*guard : nullptr, command_to_resume);
    io::TaskGroup guarding(strand, io::end_process);
    if (guard) guarding.spawn("guard", guard->watch());
    guarding.spawn("orphans", process::reap_orphans());
    asio::co_spawn(strand, workflow_run.main(), [&](std::exception_ptr exception) {
        guarding.cancel();
        if (exception) std::rethrow_exception(exception);
    });
    io::run_loop(context);
    return {workflow_run.exit_code(), workflow_run.end()};
}

// A resumed run whose budget is spent would end at once.
base::Result<void> check_spent(const launch::RunOptions& options, const launch::RunPlan& plan) {
    auto limits = launch::budget_of(options, *plan.config);
    if (!limits || !plan.earlier) return {};
    workflow::Budget budget(*limits, plan.start.used());
    if (!budget.is_spent()) return {};
    return base::invalid(base::concat("the budget is spent: ", budget.text(),
                                      "; resume the run with a larger one (--budget-usd, --budget-tokens)"));
}

// A run of any spelling becomes the path of its state log.
base::Result<void> find_resumed(launch::RunOptions& options) {
    if (!options.resume_from) return {};
    auto named = runs::find_named_run(*options.resume_from);
    if (!named) return named.error();
    options.resume_from = named->log;
    return {};
}

base::Result<void> find_reused(launch::RunOptions& options) {
    if (!options.reuse) return {};
    auto named = runs::find_named_run(*options.reuse);
    if (!named) return base::with_context("--reuse", named.error());
    options.reuse = std::filesystem::absolute(named->log).lexically_normal().string();
    if (named->found) options.reused_run = named->found->record.id;
    return {};
}

// If nobody is told of the run, it does not go on.
int leave_terminal(Detachment& detachment, launch::OwnRecord& record) {
    auto left = detachment.complete(record.run_id(), record.run_log_path());
    if (left) return base::ExitCode::ok;
    auto now = base::system_time();
    record.ended({now, base::ExitCode::failure, "interrupted"});
    return fail(base::ExitCode::failure, left.error().message);
}

// Opens the log file, and settles what the options leave to the place and the time: the current directory,
// the pool's, and the earlier runs that are meant.
base::Result<pool_protocol::PoolDirectory> settle(launch::RunOptions& options) {
    io::log::set_level(options.log_level);
    io::log::use_format(options.log_format);
    bool is_trial = options.dry_run || options.stub;
    if (options.log_file && !is_trial)
        if (auto opened = io::log::open_file(*options.log_file); !opened) return opened.error();
    auto current = base::current_directory();
    if (!current) return current.error();
    options.directory = std::move(*current);
    auto directory = pool_protocol::locate(options.root, options.pool);
    if (!directory) return directory.error();
    for (auto* find : {find_resumed, find_reused})
        if (auto found = find(options); !found) return found.error();
    return directory;
}

// What the agents of the earlier run have done is not taken over.
void remove_pool_of_retried(const launch::RunOptions& options, const launch::Beginning& beginning) {
    if (beginning.retried_run_id.empty() || !beginning.resumed) return;
    auto removed = pool_daemon::remove_pool_of(live_run::own_pool(options.root, beginning.retried_run_id),
                                               beginning.resumed->path());
    if (!removed) io::log::warn(removed.error().message, ", the pool of the earlier run");
}

int run(const cli::Options& arguments, bool resumes_newest,
        const std::optional<launch::RetryChoice>& retries = std::nullopt) {
    io::ignore_unwanted_signals();
    auto options = read_run_options(arguments);
    if (!options) return fail(base::ExitCode::usage, options.error().message + "\nTry `barnum run --help`.");
    options->resumes_newest = resumes_newest;
    options->retries = retries;
    auto directory = settle(*options);
    if (!directory) return fail(base::ExitCode::usage, directory.error().message);
    std::optional<Detachment> detachment;
    if (options->detach) {
        auto started = Detachment::start();
        if (!started) return fail(base::ExitCode::failure, started.error().message);
        detachment.emplace(std::move(*started));
    }
    auto plan = launch::plan_run(*options, print_problems);
    if (auto* refusal = std::get_if<launch::Refusal>(&plan)) return refused(*refusal);
    if (options->stub) return run_stub(std::get<launch::RunPlan>(std::move(plan)));
    if (launch::has_pool_steps(*std::get<launch::RunPlan>(plan).config)) {
        auto usable = live_run::add_config_agents(*options, *std::get<launch::RunPlan>(plan).config);
        if (!usable) return fail(base::ExitCode::usage, usable.error().message);
        live_run::warn_of_labels(*options, *std::get<launch::RunPlan>(plan).config);
        // An environment decides where the pool is: the command that resumes says so.
        if (directory->root != pool_protocol::default_root) set_root(*options, directory->root);
    }
    if (options->dry_run) return dry_run(*options, *directory, std::get<launch::RunPlan>(plan));
    if (auto fit = agents::check_open_files(0); !fit) return fail(base::ExitCode::usage, fit.error().message);
    if (auto allowed = check_spent(*options, std::get<launch::RunPlan>(plan)); !allowed)
        return fail(base::ExitCode::resumable, allowed.error().message);
    auto beginning =
        launch::begin_run(*options, std::get<launch::RunPlan>(std::move(plan)), kept_arguments(*options));
    if (auto* refusal = std::get_if<launch::Refusal>(&beginning)) return refused(*refusal);
    auto& begun = std::get<launch::Beginning>(beginning);
    if (detachment)
        if (int code = leave_terminal(*detachment, begun.record); code != base::ExitCode::ok) return code;
    if (options->has_own_pool()) {
        *directory = live_run::own_pool(options->root, begun.first_run_id);
        remove_pool_of_retried(*options, begun);
    }
    auto redaction = launch::redaction_for(options->redacts, *begun.config);
    Ended ended = run_workflow(*options, std::move(*directory), std::move(begun));
    live_run::tell_of_end(*options, ended.end, std::move(redaction));
    return ended.exit_code;
}

}  // namespace

cli::Command run_command() {
    return {"run", "Run a workflow.", run_details, cli::options_of(run_option_table()),
            [](const cli::Options& given) { return run(given, false); }};
}

int run_newest(const cli::Options& given, const std::optional<launch::RetryChoice>& retries) {
    return run(given, true, retries);
}

}  // namespace barnum
