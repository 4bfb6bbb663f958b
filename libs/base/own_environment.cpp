#include "base/own_environment.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace base {

std::vector<std::pair<std::string, std::string>> own_environment() {
    std::vector<std::pair<std::string, std::string>> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        std::string_view text = *entry;
        std::size_t end = std::min(text.find('='), text.size());
        variables.emplace_back(text.substr(0, end), text.substr(std::min(end + 1, text.size())));
    }
    return variables;
}

std::string own_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? "" : value;
}

}  // namespace base
