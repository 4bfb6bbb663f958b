// The environment variables of this process.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace base {

// Names and values. An entry without `=` is a name with an empty value.
std::vector<std::pair<std::string, std::string>> own_environment();

// The value of one; empty if it is not set.
std::string own_variable(const std::string& name);

}  // namespace base
