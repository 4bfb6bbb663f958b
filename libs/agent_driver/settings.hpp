// What a user sets for agents of one kind. Pure.
#pragma once

#include "base/error.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

enum class AgentKind {
    claude,  // Claude Code
    codex,   // Codex CLI
    gemini,  // Gemini CLI
    acp,     // any program that speaks the Agent Client Protocol
};

// What the agent may do without being asked. Each program has its own idea of the limits
// (docs/agent-drivers.md).
enum class Permissions {
    read,  // read files and run commands that only read
    edit,  // change files in the directory as well
    full,  // everything
};

struct Variable {
    std::string name;
    std::string value;
};

struct Settings {
    AgentKind kind = AgentKind::claude;
    std::string program;  // a path, or a name to look up in PATH; empty: the kind's own
    std::string model;    // empty: the program's default
    Permissions permissions = Permissions::read;
    std::vector<std::string> allow_tools;  // in the program's own notation: "Bash(make *)"
    std::string directory;                 // absolute: where the agent works
    std::vector<Variable> env;             // added to the program's environment; wins over the driver's own
    std::optional<int> max_turns;
    std::optional<double> max_usd;       // for one task
    std::chrono::seconds stall{600};     // a program that is silent for so long has failed
    std::vector<std::string> arguments;  // added to the end of the command line
};

// "claude", "codex", "gemini" or "acp".
std::string_view kind_name(AgentKind kind);

// Fails, with the reason, if the kind of agent cannot do what the settings ask for.
base::Result<void> check(const Settings& settings);

}  // namespace agent_driver
