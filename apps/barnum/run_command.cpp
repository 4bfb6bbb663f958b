#include "run_command.hpp"

#include "base/current_directory.hpp"
#include "dry_run.hpp"
#include "fail.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"
#include "io/task_group.hpp"
#include "pool_client/agent_command.hpp"
#include "process/guard.hpp"
#include "run_log.hpp"
#include "run_option_table.hpp"
#include "run_plan.hpp"
#include "run_pool.hpp"
#include "stub_run.hpp"
#include "workflow_run.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>

namespace barnum {

namespace asio = boost::asio;

namespace {

constexpr const char* details = R"(Examples:
  barnum run --config workflow.jsonc
      Begins with one task of the config's entrypoint, with the value {}.
  barnum run --config workflow.jsonc --entrypoint-value '{"directory": "src"}'
      The same with another value, which may also be given as the path of a file.
  barnum run --config workflow.jsonc --initial-state tasks.json
      Begins with the tasks in a file: [{"kind": "Analyze", "value": {}}, …].
  barnum run --config workflow.jsonc --agents 3 --agent-exec ./agent.sh
      Runs three agents, each of which runs ./agent.sh for each of its tasks: task on stdin, response on stdout.

  barnum run --config workflow.jsonc --dry-run
      Checks the config and the values, and prints what would be started.
  barnum run --config workflow.jsonc --stub
      Walks through the workflow with made-up responses that match the schemas; runs nothing.
  barnum run --resume-from run.ndjson
      Continues a run that was killed or interrupted, from its state log. Tasks that were done are not executed again.

If no pool daemon is running (`troupe start`), the run hosts the pool itself; agents attach with `troupe get_task`. When
the run ends, another run that needs the pool hosts it from then on. With --agents and without --pool, the run has a
pool of its own, which it does not share with other runs and agents.

Exit codes: 0 all tasks are done; 1 a task or a finally was dropped; 2 the command line, the config or the input is
invalid, and nothing was started; 69 the pool could not be reached; 74 the state log is damaged or could not be
written; 130 and 143 ended by SIGINT and SIGTERM. A run that ends before all tasks are done prints the command that
resumes it. A run that has finished with dropped tasks prints the command that shows the reasons.

Log, progress and summary are printed on stderr. docs/progress.md explains the table and the events.
)";

// The guard holds the locks of the logs as well, so that a killed run cannot be resumed before its last
// command has ended.
std::vector<int> held_by_guard(const Beginning& beginning) {
    std::vector<int> fds{beginning.log.fd()};
    if (beginning.resumed) fds.push_back(beginning.resumed->fd());
    return fds;
}

int run_workflow(const RunOptions& options, pool_protocol::PoolDirectory directory, Beginning beginning) {
    auto guard = process::Guard::start({{"BARNUM_RUN_ID", beginning.run_id}}, held_by_guard(beginning));
    if (!guard) io::log::warn(guard.error().message, "; commands may outlive this run if it is killed");
    asio::io_context context(1);
    auto strand = asio::make_strand(context);
    WorkflowRun workflow_run(strand, options, std::move(directory), std::move(beginning),
                             guard ? &*guard : nullptr);
    io::TaskGroup guarding(strand, io::log_exception);
    if (guard) guarding.spawn("guard", guard->watch());
    asio::co_spawn(strand, workflow_run.main(), [&](std::exception_ptr exception) {
        guarding.cancel();
        if (exception) std::rethrow_exception(exception);
    });
    context.run();
    return workflow_run.exit_code();
}

int run(const cli::Options& arguments) {
    io::ignore_unwanted_signals();
    auto options = read_run_options(arguments);
    if (!options) return fail(cli::ExitCode::usage, options.error().message + "\nTry `barnum run --help`.");
    io::log::set_level(options->log_level);
    bool is_trial = options->dry_run || options->stub;
    if (options->log_file && !is_trial)
        if (auto opened = io::log::open_file(*options->log_file); !opened)
            return fail(cli::ExitCode::usage, opened.error().message);
    auto current = base::current_directory();
    if (!current) return fail(cli::ExitCode::usage, current.error().message);
    options->directory = std::move(*current);
    auto directory = pool_protocol::locate(options->root, options->pool);
    if (!directory) return fail(cli::ExitCode::usage, directory.error().message);
    auto plan = plan_run(*options);
    if (auto* code = std::get_if<int>(&plan)) return *code;
    if (options->stub) return run_stub(std::get<RunPlan>(std::move(plan)));
    if (has_pool_steps(*std::get<RunPlan>(plan).config)) {
        auto usable =
            pool_client::check_agent_command("--agent-exec", options->agent_exec, options->directory);
        if (!usable) return fail(cli::ExitCode::usage, usable.error().message);
        // An environment decides where the pool is: the command that resumes says so.
        if (directory->root != pool_protocol::default_root) set_root(*options, directory->root);
    }
    if (options->dry_run) return dry_run(*options, *directory, std::get<RunPlan>(plan));
    auto beginning = begin_run(*options, std::get<RunPlan>(std::move(plan)));
    if (auto* code = std::get_if<int>(&beginning)) return *code;
    auto& begun = std::get<Beginning>(beginning);
    if (options->has_own_pool()) *directory = own_pool(*options, begun.first_run_id);
    return run_workflow(*options, std::move(*directory), std::move(begun));
}

}  // namespace

cli::Command run_command() {
    return {"run", "Run a workflow.", details, cli::options_of(run_option_table()), run};
}

}  // namespace barnum
