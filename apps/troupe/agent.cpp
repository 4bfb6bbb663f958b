#include "commands.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "pool_client/agent_loop.hpp"

#include <filesystem>

namespace troupe {

namespace asio = boost::asio;
namespace po = boost::program_options;

namespace {

asio::awaitable<int> run(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                         std::shared_ptr<pool_client::AgentOptions> options) {
    pool_client::AgentOptions agent = *options;
    auto ended = co_await pool_client::run_agent(watch, directory, std::move(agent));
    co_return ended.has_error() ? fail(ended.error()) : static_cast<int>(cli::ok);
}

pool_client::AgentOptions parse(const cli::Options& options) {
    pool_client::AgentOptions agent;
    agent.name = options["name"].as<std::string>();
    agent.command = options["exec"].as<std::string>();
    agent.directory = std::filesystem::current_path().string();
    if (options.count("count") > 0) {
        agent.count = options["count"].as<std::size_t>();
        if (*agent.count == 0) throw po::error("--count must be at least 1");
    }
    if (agent.command.empty()) throw po::error("--exec needs a command");
    return agent;
}

}  // namespace

cli::Command agent_command() {
    cli::Command command;
    command.name = "agent";
    command.summary = "Be an agent that runs a command for each task.";
    command.details =
        "For each task, CMD runs by `sh -c` in this directory with the content JSON on its stdin; what it "
        "prints is the "
        "response.\nHeartbeats are answered by themselves. If CMD fails or prints nothing, the reason goes "
        "to the "
        "daemon's log and the\ntask back to the pool; one that fails a third time here is left to time "
        "out.\n\n"
        "Examples:\n"
        "  troupe agent --exec 'jq -c \"[]\"'\n"
        "  troupe agent --name claude-1 --exec 'claude -p \"$(jq -r .instructions)\"'\n"
        "  troupe agent --count 1 --exec ./review.sh\n"
        "\nExit code: 0 after --count tasks, 1 when no daemon serves the pool, 2 wrong usage, 128+n on a "
        "signal.\n";
    add_pool_option(command.options);
    command.options.add_options()("exec", po::value<std::string>()->value_name("CMD")->required(),
                                  "the command to run for each task")(
        "name", po::value<std::string>()->value_name("NAME")->default_value("agent"),
        "a name for the daemon's log")("count", po::value<std::size_t>()->value_name("K"),
                                       "end after K tasks (default: go on until the pool ends)");
    command.run = [](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), cli::usage);
        auto agent = std::make_shared<pool_client::AgentOptions>(parse(options));
        return run_interruptible([=](io::DirectoryWatch& watch) { return run(watch, *directory, agent); });
    };
    return command;
}

}  // namespace troupe
