#include "base/own_environment.hpp"

#include <algorithm>
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

}  // namespace base
