#include "program.hpp"

#include "cli/completion.hpp"
#include "cli/man_command.hpp"
#include "cli/version_command.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "version/program_version.hpp"

#include <utility>

namespace troupe {

namespace {

constexpr const char* examples = R"(Examples:
  troupe start
      Serves the pool `default` until `troupe stop`.
  troupe submit_task --data '{"hello":1}'
      Submits a task, waits for the answer, and prints it.
  troupe agent --exec 'jq -c "[]"'
      Runs an agent that runs a command for each task.
  troupe get_task
      Waits for a task and prints it, for an agent of your own.

A command whose output cannot be written ends with exit code 74.
)";

constexpr const char* documents = "The files of docs/ are installed in PREFIX/share/doc/barnum/docs.";

}  // namespace

std::unique_ptr<cli::Program> program(PrepareEngine prepare_engine) {
    auto made = std::make_unique<cli::Program>();
    made->name = "troupe";
    made->summary = "A pool of agents: submitters submit tasks, and agents do them and respond.";
    made->details = examples;
    made->global_options = global_options();
    made->prepare = prepare;
    made->commands = {start_command(prepare_engine),
                      stop_command(),
                      list_command(),
                      status_command(),
                      top_command(),
                      queue_command(),
                      kick_command(),
                      submit_task_command(),
                      get_task_command(),
                      agent_command(),
                      accounts_command(),
                      engine_command(std::move(prepare_engine)),
                      mcp_command(),
                      protocol_command(),
                      cli::version_command("troupe", version::program_version),
                      cli::completion_command("troupe", "the pools in the root (--pool)")};
    made->commands.push_back(cli::man_command(
        *made, {version::program_version,
                {{1, "barnum"}, {1, "troupe"}, {7, "troupe-protocol", "docs/troupe-protocol.md"}},
                documents}));
    return made;
}

}  // namespace troupe
