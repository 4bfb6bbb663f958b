#include "agents/start_check.hpp"

#include "agent_driver/conversation.hpp"
#include "agents/agent_command.hpp"
#include "agents/level_warnings.hpp"
#include "agents/surroundings.hpp"
#include "base/text.hpp"
#include "io/log.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

namespace agents {

namespace {

using agent_driver::AgentKind;
using agent_driver::Settings;

// What npm calls the program of the kind.
std::string_view package_of(AgentKind kind) {
    constexpr std::array<std::string_view, 3> packages{"@anthropic-ai/claude-code", "@openai/codex",
                                                       "@google/gemini-cli"};
    return packages.at(static_cast<std::size_t>(kind));
}

base::Result<void> check_program(std::string_view origin, const Settings& settings) {
    if (settings.kind == AgentKind::shell) return {};
    if (settings.kind == AgentKind::exec || settings.kind == AgentKind::acp)
        return check_agent_command(origin, settings.command, settings.directory);
    auto launch = agent_driver::Conversation(settings, {}).launch({});
    if (find_program(launch.program, launch.environment)) return {};
    if (launch.program.find('/') != std::string::npos)
        return base::invalid(base::concat(origin, ": there is no program ", launch.program,
                                          "; program must be the path of an executable file"));
    return base::invalid(base::concat(origin, ": there is no program ", launch.program,
                                      " on the PATH; install it, for example with `npm install -g ",
                                      package_of(settings.kind), "`, or set program to its path"));
}

base::Result<void> check_directory(std::string_view origin, const Settings& settings) {
    const std::string& directory = settings.directory;
    std::error_code ignored;
    bool is_directory = std::filesystem::is_directory(directory, ignored);
    if (is_directory && ::access(directory.c_str(), X_OK) == 0) return {};
    if (!is_directory) errno = std::filesystem::exists(directory, ignored) ? ENOTDIR : ENOENT;
    return base::system_error(
        base::concat(origin, ": the directory ", directory, ", in which agents are to work"));
}

base::Result<void> check_servers(std::string_view origin, const Settings& settings) {
    if (settings.mcp.empty()) return {};
    auto surroundings = surroundings_of(settings);
    if (!surroundings) return base::with_context(origin, surroundings.error());
    return {};
}

}  // namespace

base::Result<void> check_start(std::string_view origin, const Settings& settings) {
    if (auto usable = check_directory(origin, settings); !usable) return usable;
    if (auto usable = check_program(origin, settings); !usable) return usable;
    if (auto usable = check_servers(origin, settings); !usable) return usable;
    for (const std::string& warning : level_warnings(settings))
        io::log::warn(origin, ": ", warning);
    return {};
}

base::Result<void> check_open_files(std::size_t agents) {
    constexpr std::size_t of_each = 5;    // its ready file, and of its command three pipes and the process
    constexpr std::size_t others = 100;   // of the pool, the log, and commands
    constexpr std::size_t of_a_run = 32;  // without agents; its commands wait for each other
    rlimit limit{};
    const std::size_t needed = agents == 0 ? of_a_run : others + of_each * agents;
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || needed <= limit.rlim_cur) return {};
    const std::size_t fitting = limit.rlim_cur > others ? (limit.rlim_cur - others) / of_each : 0;
    return base::invalid(
        base::concat(agents == 0 ? "a run" : base::counted(agents, "agent"),
                     agents > 1 ? " need " : " needs ", needed, " open files, and this process may have ",
                     limit.rlim_cur, ": raise the hard limit (`ulimit -Hn`; LimitNOFILE= in a unit)",
                     agents == 0 ? "" : base::concat(", or start fewer: ", fitting, " fit")));
}

}  // namespace agents
