// Durations, times and sizes as text for people. Times are in the local time zone.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace terminal {

// The width of most durations, "59 min 59 s".
inline constexpr std::size_t duration_width = 11;

// "0.08 ms", "350 ms", "2.0 s", "3 min 20 s", "2 h 5 min", "3 d 4 h"
std::string duration_text(std::chrono::microseconds duration);

// The duration in tenths of a second or longer units, for values that are displayed repeatedly.
std::string age_text(std::chrono::milliseconds age);

// "2026-11-21 09:15:34"
std::string time_text(std::chrono::milliseconds since_the_epoch);

// "09:15:34" if that is within half a day of `now`, else with the date.
std::string time_text(std::chrono::milliseconds since_the_epoch, std::chrono::milliseconds now);

// "812 bytes", "12.3 kB", "4.0 MB"
std::string size_text(std::uint64_t bytes);

}  // namespace terminal
