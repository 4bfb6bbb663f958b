#include "base/exit_code.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "pool_client/agent.hpp"

#include <iostream>

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr const char* get_task_details =
    R"(Prints one line of JSON: {"uuid","kind","response_file","content"}. If `kind` is Task, do the work, and write the
response to response_file; if it is Heartbeat, write any JSON there; if it is Kicked, there is no response_file. Then
call get_task again.

Examples:
  while TASK=$(troupe get_task --name me); do
    FILE=$(jq -r '.response_file // empty' <<<"$TASK")
    [ -z "$FILE" ] || echo '[]' > "$FILE"
  done
      An agent in bash.

Exit codes: 0 a task was printed; 1 no daemon serves the pool; 2 the command line is invalid; 74 the task cannot be
printed, and was handed back.
)";

asio::awaitable<int> run(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                         pool_client::AgentTraits traits) {
    std::string name = traits.name;
    auto assignment = co_await pool_client::get_task(watch, directory, std::move(traits));
    if (assignment.has_error()) co_return fail(assignment.error());
    std::cout << to_json(*assignment, name) << std::endl;
    if (std::cout) co_return base::ExitCode::ok;
    // Nobody has read it, so nobody will do it.
    if (assignment->kind == pool_client::Assignment::Kind::task)
        (void)pool_client::release(directory, *assignment, name,
                                   {pool_protocol::Release::Reason::handed_back,
                                    "its get_task could not write to stdout", std::nullopt, std::nullopt});
    co_return base::ExitCode::io_error;
}

struct GetTaskArguments {
    std::string name;
    std::vector<std::string> labels;
};

const cli::OptionTable<GetTaskArguments>& get_task_option_table() {
    static const cli::OptionTable<GetTaskArguments> table{
        {pool_option(), {}},
        {{"name", cli::text("NAME", "a name (for example reviewer)"), "a name for the daemon's log"},
         cli::into(&GetTaskArguments::name)},
        {label_option("a label of the agent; it gets only tasks of which it has all labels. May be repeated"),
         cli::into(&GetTaskArguments::labels)}};
    return table;
}

base::Result<pool_client::AgentTraits> parse(const GetTaskArguments& arguments) {
    auto labels = labels_of(arguments.labels);
    if (labels.has_error()) return labels.error();
    pool_client::AgentTraits traits;
    traits.name = arguments.name;
    traits.labels = std::move(*labels);
    return traits;
}

}  // namespace

cli::Command get_task_command() {
    cli::Command command;
    command.name = "get_task";
    command.summary = "Wait for a task, as a new agent, and print it.";
    command.details = get_task_details;
    command.options = cli::options_of(get_task_option_table());
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        auto traits = parse(cli::read(get_task_option_table(), options));
        if (traits.has_error()) return fail(traits.error(), base::ExitCode::usage);
        return run_interruptible([=](io::DirectoryWatch& watch) { return run(watch, *directory, *traits); });
    };
    return command;
}

}  // namespace troupe
