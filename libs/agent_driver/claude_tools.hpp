// What Claude Code gives its model, and which secrets it needs itself. For this room only.
#pragma once

#include "agent_driver/settings.hpp"
#include "agent_driver/surroundings.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

// The options that say which tools the model has.
std::vector<std::string> claude_tools(const Settings& settings, const Surroundings& surroundings);

// Variables that turn off what would go beyond the task.
std::vector<Variable> claude_environment(const Settings& settings);

// The beginnings of the names of variables whose secrets the program, or its provider, needs.
std::span<const std::string_view> claude_variables();

}  // namespace agent_driver
