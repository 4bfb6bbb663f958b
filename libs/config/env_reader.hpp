// Reads the environment variables that a config gives its Commands and hooks. Internal to config/load.
#pragma once

#include "config/problem_list.hpp"
#include "json/json.hpp"

#include <map>
#include <string>

namespace config {

// `value` is the object "env". Reports each variable that a command can't be given, or that is Barnum's own.
std::map<std::string, std::string> read_env(json::View value, ProblemList& problems);

}  // namespace config
