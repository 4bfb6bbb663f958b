// A time on a command line. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace kept_output {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

// "90s", "10m", "2h" and "3d" before `now`; or a time in UTC, "2026-11-21T14:05:00Z", which may have a
// fraction of a second. Nothing if it is neither.
std::optional<WallTime> parse_since(std::string_view text, WallTime now);

}  // namespace kept_output
