#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "event_loop.hpp"
#include "fail.hpp"
#include "io/interruption.hpp"
#include "mcp/setup_options.hpp"
#include "mcp/terminal_hint.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "run_tools/session.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace barnum {

namespace asio = boost::asio;

namespace {

constexpr const char* mcp_details =
    R"(Serves a client of the Model Context Protocol (Claude Code, Codex, Gemini CLI, an editor) on stdin and stdout, until
it ends. The client's model checks, tries out and draws configs, starts runs of those that are below the allowed
directories, waits for them, and reads what failed and why. Runs that it has started go on when the client ends.

With --setup it prints how to configure a client so that it starts this server, for the directories that are given
(default: this one), and for the pools below the root that counts here (--root, $TROUPE_ROOT).

Examples:
  barnum mcp --setup claude
      Prints what to put into .mcp.json, and the command that does the same.
  barnum mcp --allow-dir ~/workflows --setup codex --write
      Puts the server into Codex's config.toml.

Whoever can write a config in an allowed directory can execute any command with start_run; docs/security.md says more.

Exit codes: 0 the client has ended; 1 the client's file cannot be changed; 2 the command line is invalid; 74 stdout
cannot be written; 128 plus the number of the signal that has ended it.
)";

struct McpArguments {
    std::vector<std::string> directories;
    bool allows_answers = false;
    mcp::SetupOptions setup;
};

const cli::OptionTable<McpArguments>& mcp_option_table() {
    using cli::into;
    static const cli::OptionTable<McpArguments> table{
        {{"allow-dir", cli::file("DIR", "a directory").as_list(),
          "configs below this directory may be used; repeatable (default: the current directory)"},
         into(&McpArguments::directories)},
        {{"allow-answers", cli::none(),
          "let the model answer tasks that wait for a person, which it otherwise cannot"},
         into(&McpArguments::allows_answers)},
        {mcp::setup_option(),
         [](McpArguments& arguments, const std::string& name) {
             arguments.setup.client = mcp::client_named(name);
         }},
        {mcp::write_option(),
         [](McpArguments& arguments, const std::string&) { arguments.setup.writes = true; }}};
    return table;
}

// The paths are absolute: the client may start it anywhere, and without this environment.
base::Result<mcp::ServerCommand> server_command(const run_tools::McpSettings& settings,
                                                bool is_for_this_directory) {
    auto pools = pool_protocol::locate(settings.root, "");
    if (!pools) return pools.error();
    mcp::ServerCommand server;
    server.name = "barnum";
    server.program = mcp::own_program("barnum");
    server.arguments = {"mcp", "--root", pools->root};
    if (settings.allows_answers) server.arguments.emplace_back("--allow-answers");
    auto& arguments = is_for_this_directory ? server.arguments_here : server.arguments;
    for (const std::string& directory : settings.allowed.paths())
        arguments.insert(arguments.end(), {"--allow-dir", directory});
    return server;
}

int set_up(const McpArguments& arguments, const run_tools::McpSettings& settings) {
    auto server = server_command(settings, arguments.directories.empty());
    if (!server) return fail(base::ExitCode::usage, server.error().message);
    auto done = mcp::set_up(arguments.setup, *server);
    return done ? base::ExitCode::ok : fail(base::ExitCode::failure, done.error().message);
}

asio::awaitable<int> serve(asio::any_io_executor executor, run_tools::McpSettings settings) {
    run_tools::McpSession session(executor, std::move(settings));
    auto served = co_await session.run();
    co_return served.has_value() ? base::ExitCode::ok
                                 : fail(base::ExitCode::io_error, served.error().message);
}

asio::awaitable<int> serve_until_signal(asio::any_io_executor executor, run_tools::McpSettings settings) {
    io::Interruption interruption(executor, {SIGINT, SIGTERM, SIGHUP});
    int exit_code = base::ExitCode::ok;
    try {
        exit_code =
            co_await asio::co_spawn(executor, serve(executor, std::move(settings)),
                                    asio::bind_cancellation_slot(interruption.slot(), asio::use_awaitable));
    } catch (const boost::system::system_error&) {
        if (!interruption.happened()) throw;
        exit_code = 128 + interruption.signal_number();
    }
    interruption.cancel();
    co_return exit_code;
}

int serve_mcp(const cli::Options& given) {
    McpArguments arguments = cli::read(mcp_option_table(), given);
    mcp::check(arguments.setup);
    std::string root = apply_global_options(given);
    auto allowed = run_tools::AllowedDirectories::of(
        arguments.directories.empty() ? std::vector<std::string>{"."} : arguments.directories);
    if (!allowed)
        return fail(base::ExitCode::usage, base::with_context("--allow-dir", allowed.error()).message);
    run_tools::McpSettings settings{std::move(*allowed), arguments.allows_answers, std::move(root)};
    if (arguments.setup.client) return set_up(arguments, settings);
    mcp::hint_on_terminal("barnum mcp");
    return run_event_loop(
        [&](const asio::any_io_executor& executor) { return serve_until_signal(executor, settings); });
}

}  // namespace

cli::Command mcp_command() {
    return {"mcp", "Serve a client of the Model Context Protocol: its model writes and runs workflows.",
            mcp_details, cli::options_of(mcp_option_table()), serve_mcp};
}

}  // namespace barnum
