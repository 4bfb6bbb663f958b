#include "terminal/printable_lines.hpp"

#include "terminal/width.hpp"

#include <algorithm>

namespace terminal {

std::string printable_lines(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
        result += printable(text.substr(0, end));
        if (end < text.size()) result += text[end++];
        text.remove_prefix(end);
    }
    return result;
}

}  // namespace terminal
