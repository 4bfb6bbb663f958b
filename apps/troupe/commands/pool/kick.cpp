#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "json/json.hpp"
#include "pool_client/status_query.hpp"
#include "pool_protocol/kick_request.hpp"
#include "terminal/width.hpp"

#include <iostream>
#include <string>
#include <vector>

namespace troupe {

namespace asio = boost::asio;

namespace {

using pool_protocol::KickedAgent;

constexpr const char* kick_details = R"(Examples:
  troupe kick reviewer-2 --pool reviews
      Takes its task from the agent, and gives it to another one.

AGENT is the name of an agent, as `troupe status` shows it, or its id; all agents of that name are kicked. An agent of
`troupe agent` or of a run ends its work at the task first: what it has started has ended when another agent gets the
task. An agent that cannot be told (docs/troupe-protocol.md) loses its task at once, and may still be at it. No retry is
used. The agent's process goes on, and takes the next task; to end it, end the process. An agent without a task attaches
anew. In a pool over many hosts, AGENT is one of this host, and its task may go to any host.

Exit codes: 0 the agents were kicked; 1 there is no such agent, or no daemon answers; 2 the command line is invalid.
)";

struct KickArguments {
    std::string agent;
    bool json = false;
};

const cli::OptionTable<KickArguments>& kick_option_table() {
    using cli::into;
    static const cli::OptionTable<KickArguments> table{
        {pool_option(PoolChoice::served), {}},
        {{.name = "agent",
          .value = cli::text("AGENT", "the name of an agent, or its id"),
          .summary = "the agent to kick; the word --agent may be left out",
          .is_positional = true,
          .is_required = true},
         into(&KickArguments::agent)},
        {{"json", cli::none(), "print a JSON object with the agents, and what becomes of their tasks"},
         into(&KickArguments::json)}};
    return table;
}

std::string told(KickedAgent::How how) {
    switch (how) {
        case KickedAgent::How::dismissed:
            return "had no task, and was dismissed";
        case KickedAgent::How::told:
            return "is told to end its work; then the task waits for another agent";
        case KickedAgent::How::taken_from:
            return "has lost its task, which waits for another agent";
        case KickedAgent::How::ending:
            break;
    }
    return "was told to end its work before";
}

asio::awaitable<int> kick(pool_protocol::PoolDirectory directory, KickArguments arguments) {
    auto text = co_await pool_client::ask_daemon(directory, answer_wait,
                                                 pool_protocol::kick_request(arguments.agent));
    if (text.has_error()) co_return fail(text.error());
    auto agents = pool_protocol::parse_kick_answer(*text);
    if (agents.has_error()) co_return fail(agents.error());
    if (agents->empty())
        co_return fail(base::invalid(
            base::concat("no agent ", arguments.agent, " is attached to the pool in ", directory.path,
                         "; `troupe status ", pool_protocol::options_of(directory), "` lists them")));
    if (arguments.json) std::cout << pool_protocol::kick_answer(*agents) << "\n";
    for (const KickedAgent& agent : *agents)
        if (!arguments.json)
            std::cout << terminal::printable(agent.name.empty() ? agent.id : agent.name) << " "
                      << told(agent.how) << "\n";
    co_return base::ExitCode::ok;
}

int run_kick(const cli::Options& given) {
    KickArguments arguments = cli::read(kick_option_table(), given);
    auto directory = pool_of(given);
    if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
    return run_interruptible([=](io::DirectoryWatch&) { return kick(*directory, arguments); });
}

}  // namespace

cli::Command kick_command() {
    return {"kick", "Take the task from an agent, and give it to another one.", kick_details,
            cli::options_of(kick_option_table()), run_kick};
}

}  // namespace troupe
