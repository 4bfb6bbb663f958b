#include "agents/agent_loop.hpp"
#include "agents/transcripts.hpp"
#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "commands/agents/agent_check.hpp"
#include "commands/agents/agent_settings.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "io/task_group.hpp"
#include "pool_client/agent_session.hpp"
#include "pool_client/new_id.hpp"
#include "pool_client/pool_wait.hpp"
#include "process/guard.hpp"
#include "process/orphans.hpp"

#include <cstdlib>
#include <filesystem>

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr const char* agent_details =
    R"~(The tasks of the agent are done by a program, --kind, or by a shell command, --exec. docs/agents.md describes both.

A program (claude, codex, gemini, or any that speaks the Agent Client Protocol) is started once for each task, in
--directory. It gets the task's instructions and value, and its answer is the response. An answer that does not match
the submitter's schema goes back into the same conversation with the errors, up to --max-repairs times. If the provider
is overloaded, the task is handed back, and the agent rests, for 5 s at first, doubled each time up to 5 min. An agent
whose program cannot work (not installed, not logged in, an unknown model) hands its task back and ends. The lines that
the program and the agent exchange are kept, --transcripts.

A command, CMD, is run by `sh -c` for each task, in --directory, with the task's content as JSON on its stdin. The
output of CMD is the response. If CMD fails or prints nothing, the task fails, with the exit code of CMD and the end of
its stderr. Exit code 75 says that the cause is the agent and not the task: the task is handed back, and the agent
rests. An agent ends if CMD cannot be executed (exit code 126 or 127) before it has done a task. The environment of the
program or command contains the agent's name, BARNUM_AGENT, and its id, BARNUM_AGENT_ID, which is a new one for each
task.

An agent of the kind shell gets only the Commands of workflows that have "on": "pool", and no other task. It runs the
script of each by `sh -c`, in --directory, with the input and the environment that a Command has on the machine of
`barnum run`, and tells the run how it has ended and what it has written. So whoever can submit to the pool can run any
script here, with all rights of this user. No other kind runs scripts of submitters.

The agent responds to heartbeats itself. When the task times out, or the pool takes the task back, the program or
command is ended with all processes that it has started: SIGTERM, and SIGKILL 2 s later. It is also ended if this
process is killed. If the daemon is killed, the agent waits for the next one. After `troupe stop` it waits 10 s for the
next daemon, and then ends. A signal that ends the agent also ends the work, and its task is handed back.

Examples:
  troupe agent --kind claude --check
  troupe agent --kind claude --count 4 --model opus --label writer
  troupe agent --kind acp --exec 'opencode acp'
  troupe agent --exec 'jq -c "[]"'
  troupe agent --label gpu --label linux --exec ./train.sh
  troupe agent --kind shell --count 4 --directory /srv/checkout --label debian

Exit codes: 1 no daemon serves the pool, or the program or command cannot work; 2 the command line is invalid, or CMD is
not a program; 128+n ended by signal n.
)~";

// The agents of this process.
struct Workers {
    agents::AgentOptions agent;
    std::size_t count = 1;
    bool check = false;
    std::string directory;  // of the transcripts, or "none"; empty: the default
    std::optional<agents::Transcripts> transcripts;
    agents::Conversations conversations;
    std::string session = pool_client::new_id();
    std::optional<process::Guard> guard;
    std::optional<base::Error> error;  // the first of any
};

std::string name_of(const Workers& workers, std::size_t number) {
    return workers.count == 1 ? workers.agent.name : base::concat(workers.agent.name, "-", number);
}

asio::awaitable<void> run_one(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                              std::shared_ptr<Workers> workers, std::size_t number) {
    agents::AgentOptions options = workers->agent;
    options.name = name_of(*workers, number);
    options.conversations = &workers->conversations;
    base::Error error = co_await agents::run_agent(watch, directory, std::move(options));
    if (workers->error) co_return;
    // The others go on until they have seen it, too.
    if (error.code == agents::agent_unusable && workers->count > 1)
        io::log::error(name_of(*workers, number), " ends: ", error.message);
    workers->error = std::move(error);
}

// "reviewer", "reviewer-1 to reviewer-3"
std::string names_of(const Workers& workers) {
    return workers.count == 1 ? workers.agent.name
                              : base::concat(name_of(workers, 1), " to ", name_of(workers, workers.count));
}

// Says what does the tasks.
std::string work_of(const agent_driver::Settings& settings) {
    if (settings.kind == agent_driver::AgentKind::exec)
        return base::concat("for each task: ", settings.command);
    if (settings.kind == agent_driver::AgentKind::shell)
        return base::concat("runs the Commands of whoever uses the pool, in ", settings.directory);
    std::string model = settings.model.empty() ? "" : base::concat(" (", settings.model, ")");
    return base::concat("tasks are done by ", kind_name(settings.kind), model);
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
    io::log::info(names_of(*workers), " attached to the pool in ", directory.path, "; ",
                  work_of(workers->agent.group.settings));
    auto executor = co_await asio::this_coro::executor;
    pool_client::AgentSession session(executor, directory, workers->session, listener_of(workers, directory));
    workers->agent.session = &session;
    io::TaskGroup background(executor, io::end_process);
    background.spawn("session", session.keep());
    if (workers->guard) background.spawn("guard", workers->guard->watch());
    background.spawn("orphans", process::reap_orphans());
    io::TaskGroup agents(executor, io::end_process);
    for (std::size_t number = 1; number <= workers->count; ++number)
        agents.spawn(name_of(*workers, number), run_one(watch, directory, workers, number));
    co_await join_agents(agents, background, session);
    co_return workers->error ? fail(*workers->error) : static_cast<int>(base::ExitCode::ok);
}

const cli::OptionTable<Workers>& worker_option_table() {
    using cli::into;
    static const cli::OptionTable<Workers> table{
        {pool_option(), {}},
        {{"name", cli::text("NAME", "a name (for example reviewer)"),
          "a name for the daemon's log (default: the kind; `agent` with --exec)"},
         [](Workers& workers, const std::string& text) { workers.agent.name = text; }},
        {{"on-kick",
          cli::choice(
              "WHAT",
              {{"end"}, {"keep", "nobody waits for its response, and another agent may have the task"}})
              .with_default("end"),
          "whether to end the work, or let it go on, when the pool takes its task back"},
         [](Workers& workers, const std::string& text) { workers.agent.ends_when_told = text == "end"; }},
        {{"transcripts", cli::directory("DIR|none", "the path of a directory, or none"),
          "where to keep what the program prints and is told, with secrets left out; none: nowhere (default: "
          "${XDG_STATE_HOME:-~/.local/state}/barnum/transcripts/POOL, for two weeks)"},
         into(&Workers::directory)},
        {{"check", cli::none(),
          "have the program do one small task, without a pool, within two minutes, and print its answer, "
          "time and cost"},
         into(&Workers::check)}};
    return table;
}

std::vector<cli::Option> options() {
    std::vector<cli::Option> all = cli::options_of(worker_option_table());
    auto settings = agent_setting_options();
    all.insert(std::next(all.begin()), settings.begin(), settings.end());
    return all;
}

base::Result<std::shared_ptr<Workers>> parse(const cli::Options& given) {
    auto workers = std::make_shared<Workers>();
    cli::read(worker_option_table(), given, *workers);
    auto group = read_agent_settings(given);
    if (group.has_error()) return group.error();
    const bool is_program = agent_driver::has_driver(group->settings.kind);
    if (workers->check && !is_program)
        return base::invalid(
            "--check tries a program such as --kind claude; commands can be run by themselves");
    if (!workers->directory.empty() && !is_program)
        return base::invalid(
            "--transcripts is for programs such as --kind claude; a command has no transcript");
    if (workers->agent.name.empty())
        workers->agent.name =
            group->settings.kind == agent_driver::AgentKind::exec ? "agent" : kind_name(group->settings.kind);
    workers->count = group->count;
    workers->agent.group = std::move(*group);
    return workers;
}

// If a command of a workflow has started this process, these variables are of that command's task.
void leave_out_own_task() {
    for (const char* name : {"BARNUM_PREVIOUS_ATTEMPTS", "BARNUM_RESULTS"})
        ::unsetenv(name);
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

// Nothing is removed from a directory of the user's choice.
void keep_transcripts(Workers& workers, const pool_protocol::PoolDirectory& directory) {
    using agents::Transcripts;
    if (workers.directory == "none") return;
    if (workers.directory.empty())
        workers.transcripts.emplace(Transcripts::default_directory(directory.pool),
                                    Transcripts::Retention::two_weeks);
    else
        workers.transcripts.emplace(std::filesystem::absolute(workers.directory).string(),
                                    Transcripts::Retention::unlimited);
    workers.agent.transcripts = &*workers.transcripts;
}

}  // namespace

cli::Command agent_command() {
    cli::Command command;
    command.name = "agent";
    command.summary = "Run an agent, or several, which run a command for each task.";
    command.details = agent_details;
    command.options = options();
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        auto parsed = parse(options);
        if (parsed.has_error()) return fail(parsed.error(), base::ExitCode::usage);
        const std::shared_ptr<Workers>& workers = *parsed;
        if (workers->check) return check_agent(workers->agent.group);
        leave_out_own_task();
        keep_transcripts(*workers, *directory);
        start_guard(*workers);
        return run_interruptible([=](io::DirectoryWatch& watch) { return run(watch, *directory, workers); });
    };
    return command;
}

}  // namespace troupe
