#include "cli/completion.hpp"
#include "cli/man_command.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "io/standard_streams.hpp"

namespace {

constexpr const char* examples = R"(Examples:
  troupe start
      Serves the pool `default` until `troupe stop`.
  troupe submit_task --data '{"hello":1}'
      Hands a task in, waits, prints the answer.
  troupe agent --exec 'jq -c "[]"'
      Is an agent that runs a command for each task.
  troupe get_task
      Waits for one task, for an agent of your own.

A command that can't write what it prints ends with exit code 74.
)";

constexpr const char* documents = "The files of docs/ are installed in PREFIX/share/doc/barnum/docs.";

}  // namespace

int main(int argc, char** argv) {
    io::open_missing_streams();
    cli::Program program{
        "troupe",
        "A pool of agents: submitters hand in tasks, agents take them, do the work and answer.",
        examples,
        troupe::global_options(),
        {troupe::start_command(), troupe::stop_command(), troupe::list_command(), troupe::status_command(),
         troupe::top_command(), troupe::submit_task_command(), troupe::get_task_command(),
         troupe::agent_command(), troupe::protocol_command(), troupe::version_command(),
         cli::completion_command("troupe", "and the pools of the root (--pool)")},
        troupe::global_option_values()};
    program.commands.push_back(cli::man_command(
        program, {BARNUM_VERSION,
                  {{1, "barnum"}, {1, "troupe"}, {7, "troupe-protocol", "docs/troupe-protocol.md"}},
                  documents}));
    return cli::run(program, argc, argv);
}
