// The environment variables of this process.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace base {

// Names and values. An entry without `=` is a name with an empty value.
std::vector<std::pair<std::string, std::string>> own_environment();

}  // namespace base
