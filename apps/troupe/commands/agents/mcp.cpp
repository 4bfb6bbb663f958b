#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "mcp/setup_options.hpp"
#include "mcp/terminal_hint.hpp"
#include "pool_tools/session.hpp"

#include <utility>

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr const char* mcp_details =
    R"(Serves a client of the Model Context Protocol (Claude Code, Codex, Gemini CLI, an editor) on stdin and stdout, until
it ends. The client's model takes tasks of the pool with the tools next_task and finish_task, and submits tasks with
submit_task and wait_task. Tasks that it has taken go to other agents when the client ends or is killed.

With --setup it prints how to configure a client so that it starts this server, for the pool, name and labels that are
given.

Examples:
  troupe mcp --setup claude
      Prints what to put into .mcp.json, and the command that does the same.
  troupe mcp --pool reviews --setup codex --write
      Puts the server into Codex's config.toml.

Exit codes: 0 the client has ended; 1 the client's file cannot be changed; 2 the command line is invalid; 74 stdout
cannot be written; 128 plus the number of the signal that has ended it.
)";

struct McpArguments {
    std::string name;
    std::vector<std::string> labels;
    mcp::SetupOptions setup;
};

const cli::OptionTable<McpArguments>& mcp_option_table() {
    static const cli::OptionTable<McpArguments> table{
        {pool_option(), {}},
        {{"name", cli::text("NAME", "a name (for example reviewer)"),
          "the agent's name in the daemon's log and status (default: what the client calls itself)"},
         cli::into(&McpArguments::name)},
        {label_option("a label of the agent; it gets only tasks of which it has all labels. May be repeated"),
         cli::into(&McpArguments::labels)},
        {mcp::setup_option(),
         [](McpArguments& arguments, const std::string& name) {
             arguments.setup.client = mcp::client_named(name);
         }},
        {mcp::write_option(),
         [](McpArguments& arguments, const std::string&) { arguments.setup.writes = true; }}};
    return table;
}

// The paths are absolute: the client may start it anywhere, and without this environment.
mcp::ServerCommand server_command(const pool_protocol::PoolDirectory& directory,
                                  const McpArguments& arguments) {
    mcp::ServerCommand server;
    server.name = directory.pool == "default" ? "troupe" : base::concat("troupe-", directory.pool);
    server.program = mcp::own_program("troupe");
    server.arguments = {"mcp", "--root", directory.root, "--pool", directory.pool};
    if (!arguments.name.empty()) server.arguments.insert(server.arguments.end(), {"--name", arguments.name});
    for (const std::string& label : arguments.labels)
        server.arguments.insert(server.arguments.end(), {"--label", label});
    return server;
}

asio::awaitable<int> run(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                         pool_tools::McpTasks::Settings settings) {
    pool_tools::McpSession session(co_await asio::this_coro::executor, watch, std::move(directory),
                                   std::move(settings));
    auto served = co_await session.run();
    co_return served.has_value() ? static_cast<int>(base::ExitCode::ok)
                                 : fail(served.error(), base::ExitCode::io_error);
}

}  // namespace

cli::Command mcp_command() {
    cli::Command command;
    command.name = "mcp";
    command.summary = "Serve a client of the Model Context Protocol: its model becomes an agent.";
    command.details = mcp_details;
    command.options = cli::options_of(mcp_option_table());
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        auto arguments = cli::read(mcp_option_table(), options);
        auto labels = labels_of(arguments.labels);
        if (labels.has_error()) return fail(labels.error(), base::ExitCode::usage);
        mcp::check(arguments.setup);
        if (arguments.setup.client) {
            auto done = mcp::set_up(arguments.setup, server_command(*directory, arguments));
            return done ? static_cast<int>(base::ExitCode::ok) : fail(done.error());
        }
        mcp::hint_on_terminal("troupe mcp");
        pool_tools::McpTasks::Settings settings{arguments.name, std::move(*labels)};
        return run_interruptible([=](io::DirectoryWatch& watch) { return run(watch, *directory, settings); });
    };
    return command;
}

}  // namespace troupe
