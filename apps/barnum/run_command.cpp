#include "run_command.hpp"

#include "base/text.hpp"
#include "config/load.hpp"
#include "first_tasks.hpp"
#include "io/log.hpp"
#include "io/process_guard.hpp"
#include "io/signals.hpp"
#include "pool_client/new_id.hpp"
#include "run_options.hpp"
#include "session.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>

#include <iostream>

namespace barnum {

namespace asio = boost::asio;

namespace {

constexpr const char* details = R"(Examples:
  barnum run --config workflow.jsonc
      One task of the config's entrypoint, with the value {}.
  barnum run --config workflow.jsonc --entrypoint-value '{"directory": "src"}'
      The same with a value; the name of a file with the value does as well.
  barnum run --config workflow.jsonc --initial-state tasks.json
      Begins with the tasks of a file: [{"kind": "Analyze", "value": {}}, …].
  barnum run --config workflow.jsonc --agents 3 --agent-exec ./agent.sh
      Brings its own agents: three at a time run ./agent.sh, task on stdin, response on stdout.

Without a pool daemon (`troupe start`) the run hosts the pool itself; agents attach with `troupe get_task`.

Exit codes: 0 all is well; 1 a task or a finally was given up; 2 the command line, the config or the input is wrong,
and nothing was started; 69 the pool could not be reached; 130 and 143 ended by SIGINT and SIGTERM.
Log and summary go to stderr.
)";

int fail(int code, const std::string& message) {
    std::cerr << "barnum: " << message << "\n";
    return code;
}

int run_session(const RunOptions& options, const config::WorkflowConfig& config,
                pool_protocol::PoolDirectory directory, std::vector<config::NewTask> tasks) {
    io::ignore_unwanted_signals();
    std::string run_id = pool_client::new_id();
    auto guard = io::ProcessGuard::start({{"BARNUM_RUN_ID", run_id}});
    if (!guard) io::log::warn(guard.error().message, "; commands may outlive this run if it is killed");
    asio::io_context context(1);
    auto strand = asio::make_strand(context);
    Session session(strand, options, config, std::move(run_id), std::move(directory), std::move(tasks));
    asio::co_spawn(strand, session.main(), [](std::exception_ptr exception) {
        if (exception) std::rethrow_exception(exception);
    });
    context.run();
    return session.exit_code();
}

int run(const cli::Options& arguments) {
    auto options = read_run_options(arguments);
    if (!options) return fail(cli::ExitCode::usage, options.error().message + "\nTry `barnum run --help`.");
    io::log::set_level(options->log_level);
    if (options->log_file)
        if (auto opened = io::log::open_file(*options->log_file); !opened)
            return fail(cli::ExitCode::usage, opened.error().message);
    auto directory = pool_protocol::locate(options->root, options->pool);
    if (!directory) return fail(cli::ExitCode::usage, directory.error().message);
    auto loaded = config::load(options->config);
    for (const auto& problem : loaded.problems)
        std::cerr << config::to_string(problem) << "\n";
    if (!loaded.config)
        return fail(cli::ExitCode::usage,
                    base::concat("the config has ", base::counted(loaded.problems.size(), "error"),
                                 "; nothing was started"));
    auto tasks = first_tasks(*loaded.config, *options);
    if (!tasks) return fail(cli::ExitCode::usage, tasks.error().message);
    return run_session(*options, *loaded.config, std::move(*directory), std::move(*tasks));
}

}  // namespace

cli::Command run_command() {
    return {"run", "Runs a workflow to its end.", details, run_option_table(), run};
}

}  // namespace barnum
