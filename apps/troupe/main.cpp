#include "commands.hpp"
#include "context.hpp"
#include "io/standard_streams.hpp"

namespace {

constexpr const char* examples = R"(Examples:
  troupe start                                serve the pool `default` until `troupe stop`
  troupe submit_task --data '{"hello":1}'     hand a task in, wait, print the answer
  troupe agent --exec 'jq -c "[]"'            be an agent that runs a command for each task
  troupe get_task                             wait for one task, for an agent of your own
)";

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
         troupe::agent_command(), troupe::protocol_command(), troupe::version_command()}};
    return cli::run(program, argc, argv);
}
