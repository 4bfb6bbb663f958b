// The forms in which a run shows its progress.
#pragma once

#include <optional>
#include <string_view>

namespace progress {

// `automatic`: tty on a terminal that can move its cursor, otherwise plain.
enum class ProgressMode { automatic, tty, plain, json, none };

std::optional<ProgressMode> parse_progress_mode(std::string_view name);  // "auto", "tty", …
std::string_view name_of(ProgressMode mode);

}  // namespace progress
