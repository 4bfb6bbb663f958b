// Times as text that is the same in every time zone.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace base {

// "2026-11-21T14:05:00Z"
std::string utc_text(std::chrono::sys_seconds time);
// "2026-11-21T14:05:00.628Z"
std::string utc_text(std::chrono::sys_time<std::chrono::milliseconds> time);

// The time of such a text, with any number of digits after the point; digits after the ninth do not count.
// Empty if it is none, also if it is of another time zone.
std::optional<std::chrono::sys_time<std::chrono::nanoseconds>> parse_utc_text(std::string_view text);

}  // namespace base
