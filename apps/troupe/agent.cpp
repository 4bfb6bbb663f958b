#include "base/current_directory.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "io/log.hpp"
#include "io/task_group.hpp"
#include "pool_client/agent_command.hpp"
#include "pool_client/agent_loop.hpp"
#include "pool_client/agent_session.hpp"
#include "pool_client/new_id.hpp"
#include "pool_client/pool_wait.hpp"
#include "process/guard.hpp"

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr const char* details =
    R"~(For each task, the agent runs CMD by `sh -c` in the current directory, with the task's content as JSON on its stdin.
The output of CMD is the response. The agent responds to heartbeats itself. If CMD fails or prints nothing, the task
fails, with the exit code of CMD and the end of its stderr. Exit code 75 says that the cause is the agent and not the
task: the task is handed back, and the agent rests, for 5 s at first, doubled each time up to 5 min. An agent ends if CMD
cannot be executed (exit code 126 or 127) before it has done a task. The environment of CMD contains the agent's name,
BARNUM_AGENT, and its id, BARNUM_AGENT_ID, which is a new one for each task.

When the task times out, or the pool takes the task back, CMD is ended with all processes that it has started: SIGTERM,
and SIGKILL 2 s later. It is also ended if this process is killed.

If the daemon is killed, the agent waits for the next one. After `troupe stop` it waits 10 s for the next daemon, and
then ends. A signal that ends the agent also ends CMD, and its task is handed back.

Examples:
  troupe agent --exec 'jq -c "[]"'
  troupe agent --name claude --count 4 --exec 'claude -p "$(cat)"'

Exit codes: 1 no daemon serves the pool, or CMD cannot be executed; 2 the command line is invalid, or CMD is not a
program; 128+n ended by signal n.
)~";

// The agents of this process.
struct Workers {
    pool_client::AgentOptions agent;
    std::size_t count = 1;
    std::string session = pool_client::new_id();
    std::optional<process::Guard> guard;
    std::optional<base::Error> error;  // the first of any
};

std::string name_of(const Workers& workers, std::size_t number) {
    return workers.count == 1 ? workers.agent.name : base::concat(workers.agent.name, "-", number);
}

asio::awaitable<void> run_one(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                              std::shared_ptr<Workers> workers, std::size_t number) {
    pool_client::AgentOptions options = workers->agent;
    options.name = name_of(*workers, number);
    base::Error error = co_await pool_client::run_agent(watch, directory, std::move(options));
    if (workers->error) co_return;
    // The others go on until they have seen it, too.
    if (error.code == pool_client::command_unusable && workers->count > 1)
        io::log::error(name_of(*workers, number), " ends: ", error.message);
    workers->error = std::move(error);
}

// "reviewer", "reviewer-1 to reviewer-3"
std::string names_of(const Workers& workers) {
    return workers.count == 1 ? workers.agent.name
                              : base::concat(name_of(workers, 1), " to ", name_of(workers, workers.count));
}

asio::awaitable<void> join_agents(io::TaskGroup& agents, io::TaskGroup& background,
                                  pool_client::AgentSession& session) {
    std::exception_ptr cancelled;
    try {
        co_await agents.join_or_cancel();
    } catch (const boost::system::system_error&) {
        cancelled = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await session.close();
    background.cancel();
    co_await background.join();
    if (cancelled) std::rethrow_exception(cancelled);
}

pool_client::AgentSession::Listener listener_of(const std::shared_ptr<Workers>& workers,
                                                const pool_protocol::PoolDirectory& directory) {
    pool_client::AgentSession::Listener listener;
    listener.on_socket = [workers](int socket) {
        if (workers->guard) workers->guard->hold(socket);
    };
    listener.on_served = [workers, directory](bool is_served) {
        if (is_served)
            io::log::info("the pool in ", directory.path, " is served again");
        else
            io::log::info(names_of(*workers), ": nobody serves the pool in ", directory.path,
                          " now; waiting");
    };
    return listener;
}

asio::awaitable<int> run(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                         std::shared_ptr<Workers> workers) {
    auto pool = co_await pool_client::wait_for_pool(directory);
    if (pool.has_error()) co_return fail(pool.error());
    io::log::info(names_of(*workers), " attached to the pool in ", directory.path,
                  "; for each task: ", workers->agent.command);
    auto executor = co_await asio::this_coro::executor;
    pool_client::AgentSession session(executor, directory, workers->session, listener_of(workers, directory));
    workers->agent.session = &session;
    io::TaskGroup background(executor, io::log_exception);
    background.spawn("session", session.keep());
    if (workers->guard) background.spawn("guard", workers->guard->watch());
    io::TaskGroup agents(executor, io::log_exception);
    for (std::size_t number = 1; number <= workers->count; ++number)
        agents.spawn(name_of(*workers, number), run_one(watch, directory, workers, number));
    co_await join_agents(agents, background, session);
    co_return workers->error ? fail(*workers->error) : static_cast<int>(cli::ok);
}

const cli::OptionTable<Workers>& option_table() {
    using cli::into;
    static const cli::OptionTable<Workers> table{
        {pool_option(), {}},
        {{.name = "exec",
          .value = cli::script("CMD", "a shell command (for example ./agent.sh)"),
          .summary = "the command to run for each task",
          .is_required = true},
         [](Workers& workers, const std::string& text) { workers.agent.command = text; }},
        {{"name", cli::text("NAME", "a name (for example reviewer)").with_default("agent"),
          "a name for the daemon's log"},
         [](Workers& workers, const std::string& text) { workers.agent.name = text; }},
        {{"count", cli::whole_number("K", 1, 10'000).with_default("1"),
          "run K agents, named NAME-1 to NAME-K"},
         into(&Workers::count)},
        {{"on-kick",
          cli::choice(
              "WHAT",
              {{"end"}, {"keep", "nobody waits for its response, and another agent may have the task"}})
              .with_default("end"),
          "whether to end CMD, or keep it running, when the pool takes its task back"},
         [](Workers& workers, const std::string& text) { workers.agent.ends_when_told = text == "end"; }}};
    return table;
}

base::Result<std::shared_ptr<Workers>> parse(const cli::Options& given) {
    auto workers = std::make_shared<Workers>();
    cli::read(option_table(), given, *workers);
    auto directory = base::current_directory();
    if (directory.has_error()) return directory.error();
    workers->agent.directory = std::move(*directory);
    auto usable =
        pool_client::check_agent_command("--exec", workers->agent.command, workers->agent.directory);
    if (usable.has_error()) return usable.error();
    return workers;
}

// What the commands have started dies with this process, however it ends.
void start_guard(Workers& workers) {
    process::Environment mark{{"BARNUM_AGENT_PROCESS", workers.session}};
    auto guard = process::Guard::start(mark);
    if (guard.has_error())
        return io::log::warn(guard.error().message, "; commands may outlive this process if it is killed");
    workers.guard.emplace(std::move(*guard));
    workers.agent.environment = std::move(mark);
}

}  // namespace

cli::Command agent_command() {
    cli::Command command;
    command.name = "agent";
    command.summary = "Run an agent, or several, which run a command for each task.";
    command.details = details;
    command.options = cli::options_of(option_table());
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), cli::usage);
        auto parsed = parse(options);
        if (parsed.has_error()) return fail(parsed.error(), cli::usage);
        const std::shared_ptr<Workers>& workers = *parsed;
        start_guard(*workers);
        return run_interruptible([=](io::DirectoryWatch& watch) { return run(watch, *directory, workers); });
    };
    return command;
}

}  // namespace troupe
