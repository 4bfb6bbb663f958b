// What a user sets for agents of one kind. Pure.
#pragma once

#include "agent_driver/prices.hpp"
#include "base/error.hpp"
#include "base/labels.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

enum class AgentKind {
    claude,  // Claude Code
    codex,   // Codex CLI
    gemini,  // Gemini CLI
    acp,     // any program that speaks the Agent Client Protocol
    exec,    // a shell command for each task; has no driver
    shell,   // runs the tasks themselves, which are shell commands; has no driver
};

// What the agent may do without being asked. Each program has its own idea of the limits
// (docs/agent-drivers.md).
enum class Permissions {
    read,  // read files
    edit,  // change files in the directory as well
    full,  // everything
};

struct Variable {
    std::string name;
    std::string value;
};

struct Settings {
    AgentKind kind = AgentKind::claude;
    std::string program;  // a path, or a name to look up in PATH; empty: the kind's own. Not for acp and exec
    std::string command;  // `sh -c` text, for acp and exec only: starts the program, or does the task
    std::string model;    // empty: the program's default
    std::string fallback_model;  // takes over while `model` cannot be used; the program may take several
    std::string effort;  // how much the model thinks, one of the setting's choices; empty: the program's
    Permissions permissions = Permissions::read;
    std::vector<std::string> allow_tools;  // in the program's own notation: "Bash(make *)"
    std::string mcp;  // absolute: a file with servers of tools (agent_driver/mcp_servers.hpp); empty: none
    // Whether what lies in the directory may configure the program: hooks, servers of tools, permissions,
    // variables.
    bool project_settings = false;
    // Whether the model is told what the directory says to models, such as its CLAUDE.md.
    bool project_instructions = true;
    std::string directory;      // absolute: where the agent works
    std::vector<Variable> env;  // added to the program's environment; wins over the driver's own
    // The names of variables of Barnum's own environment that hold secrets, and which the program's tools get
    // all the same.
    std::vector<std::string> kept_env;
    std::optional<int> max_turns;
    std::optional<double> max_usd;       // for one task
    std::optional<Prices> prices;        // for a program that does not tell what a task costs
    std::chrono::seconds stall{600};     // a program that is silent for so long has failed
    std::vector<std::string> arguments;  // added to the end of the command line
};

// Agents that are alike.
struct AgentGroup {
    Settings settings;
    std::size_t count = 1;
    base::Labels labels = {};  // the user's: at most one less than base::Labels allows, for the kind shell
    int max_repairs = 2;       // how often the program is asked to mend an answer that is not valid
};

// The labels of the group and of its kind: they get only tasks that these fit (base::Labels::fit).
base::Labels offered_labels(const AgentGroup& group);

// Whether a task is done by a program that a driver talks to, and not by a shell.
inline bool has_driver(AgentKind kind) {
    return kind != AgentKind::exec && kind != AgentKind::shell;
}

// Why the cost of such an agent's tasks cannot be known; empty if it can, or if it counts as free: a command.
// "codex does not tell what a task costs; give its agents prices, …"
std::string unknown_cost(const Settings& settings);

// "claude", "codex", "gemini", "acp", "exec" or "shell".
std::string_view kind_name(AgentKind kind);
std::optional<AgentKind> parse_kind(std::string_view name);
std::span<const std::string_view> kind_names();

// Something that the kind of agent cannot do, or a value that is not allowed.
struct SettingProblem {
    std::string_view setting;  // its name in the config: "max_usd"
    std::string message;       // a sentence with the reason
};

// Empty if the settings are valid.
std::vector<SettingProblem> problems_of(const Settings& settings);

// Fails with the first of these problems.
base::Result<void> check(const Settings& settings);

}  // namespace agent_driver
