#include "progress/progress_mode.hpp"

#include <array>

namespace progress {

namespace {

constexpr std::array<std::string_view, 5> names{"auto", "tty", "plain", "json", "none"};

}  // namespace

std::optional<ProgressMode> parse_progress_mode(std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<ProgressMode>(i);
    return std::nullopt;
}

std::string_view name_of(ProgressMode mode) {
    return names[static_cast<std::size_t>(mode)];
}

}  // namespace progress
