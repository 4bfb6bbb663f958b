#include "base/current_directory.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "io/log.hpp"
#include "io/task_group.hpp"
#include "pool_client/agent_command.hpp"
#include "pool_client/agent_loop.hpp"
#include "pool_client/pool_wait.hpp"

namespace troupe {

namespace asio = boost::asio;
namespace po = boost::program_options;

namespace {

struct Crew {
    pool_client::AgentOptions agent;
    std::size_t count = 1;
    std::optional<base::Error> error;  // the first of any
};

std::string name_of(const Crew& crew, std::size_t number) {
    return crew.count == 1 ? crew.agent.name : base::concat(crew.agent.name, "-", number);
}

asio::awaitable<void> run_one(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                              std::shared_ptr<Crew> crew, std::size_t number) {
    pool_client::AgentOptions options = crew->agent;
    options.name = name_of(*crew, number);
    base::Error error = co_await pool_client::run_agent(watch, directory, std::move(options));
    if (crew->error) co_return;
    // The others go on until they have seen it, too.
    if (error.code == pool_client::command_unusable && crew->count > 1)
        io::log::error(name_of(*crew, number), " ends: ", error.message);
    crew->error = std::move(error);
}

// "reviewer", "reviewer-1 to reviewer-3"
std::string names_of(const Crew& crew) {
    return crew.count == 1 ? crew.agent.name
                           : base::concat(name_of(crew, 1), " to ", name_of(crew, crew.count));
}

asio::awaitable<int> run(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                         std::shared_ptr<Crew> crew) {
    auto pool = co_await pool_client::wait_for_pool(directory);
    if (pool.has_error()) co_return fail(pool.error());
    io::log::info(names_of(*crew), " attached to the pool in ", directory.path,
                  "; for each task: ", crew->agent.command);
    io::TaskGroup agents(co_await asio::this_coro::executor, io::log_exception);
    for (std::size_t number = 1; number <= crew->count; ++number)
        agents.spawn(name_of(*crew, number), run_one(watch, directory, crew, number));
    co_await agents.join_or_cancel();
    co_return crew->error ? fail(*crew->error) : static_cast<int>(cli::ok);
}

base::Result<std::shared_ptr<Crew>> parse(const cli::Options& options) {
    auto crew = std::make_shared<Crew>();
    crew->agent.name = options["name"].as<std::string>();
    crew->agent.command = options["exec"].as<std::string>();
    crew->count = options["count"].as<std::size_t>();
    if (crew->count == 0 || crew->count > 10'000) throw po::error("--count must be from 1 to 10000");
    auto directory = base::current_directory();
    if (directory.has_error()) return directory.error();
    crew->agent.directory = std::move(*directory);
    auto usable = pool_client::check_agent_command("--exec", crew->agent.command, crew->agent.directory);
    if (usable.has_error()) return usable.error();
    return crew;
}

}  // namespace

cli::Command agent_command() {
    cli::Command command;
    command.name = "agent";
    command.summary = "Be an agent, or several, running a command for each task.";
    command.details =
        "For each task, CMD runs by `sh -c` in this directory with the content JSON on its stdin; what it "
        "prints is the\n"
        "response. Heartbeats are answered by themselves. If CMD fails or prints nothing, the reason goes to "
        "the daemon's\n"
        "log and the task back to the pool; one with a timeout that fails a third time here is left to time "
        "out. An agent ends\n"
        "whose CMD can't be executed at all (exit code 127 or 126) before it has done a task. CMD finds the "
        "agent's name in\n"
        "BARNUM_AGENT, and in BARNUM_AGENT_ID its id, another one for each task.\n\n"
        "Examples:\n"
        "  troupe agent --exec 'jq -c \"[]\"'\n"
        "  troupe agent --name claude --count 4 --exec 'claude -p \"$(cat)\"'\n"
        "\nExit codes: 1 no daemon serves the pool (any more), or CMD can't be executed; 2 wrong usage, or "
        "CMD is no "
        "program;\n128+n ended by signal n.\n";
    add_pool_option(command);
    command.options.add_options()("exec", po::value<std::string>()->value_name("CMD")->required(),
                                  "the command to run for each task")(
        "name", po::value<std::string>()->value_name("NAME")->default_value("agent"),
        "a name for the daemon's log")("count", po::value<std::size_t>()->value_name("K")->default_value(1),
                                       "so many agents at once, named NAME-1 to NAME-K");
    command.values["exec"] = cli::files();
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), cli::usage);
        auto parsed = parse(options);
        if (parsed.has_error()) return fail(parsed.error(), cli::usage);
        std::shared_ptr<Crew> crew = *parsed;
        return run_interruptible([=](io::DirectoryWatch& watch) { return run(watch, *directory, crew); });
    };
    return command;
}

}  // namespace troupe
