#include "displays/log_colors.hpp"

#include "base/text.hpp"
#include "terminal/color.hpp"

#include <string_view>

namespace displays {

std::string with_colors(const io::log::Line& line) {
    using io::log::Level;
    constexpr std::size_t before = std::string_view("2026-11-20T11:15:52.780Z ").size();
    constexpr std::size_t length = std::string_view("ERROR").size();
    std::string_view text = line.formatted;
    if ((line.level != Level::error && line.level != Level::warn) || text.size() < before + length)
        return std::string(text);
    auto style = line.level == Level::error ? terminal::Style::red : terminal::Style::yellow;
    return base::concat(text.substr(0, before), terminal::paint(text.substr(before, length), style, true),
                        text.substr(before + length));
}

}  // namespace displays
