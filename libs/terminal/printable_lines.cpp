#include "terminal/printable_lines.hpp"

#include "terminal/width.hpp"

#include <algorithm>

namespace terminal {

std::string printable_lines(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const auto* found = std::ranges::find_if(text, [](char c) { return c == '\n' || c == '\t'; });
        auto end = static_cast<std::size_t>(found - text.data());
        result += printable(text.substr(0, end));
        if (end < text.size()) result += text[end++];
        text.remove_prefix(end);
    }
    return result;
}

}  // namespace terminal
