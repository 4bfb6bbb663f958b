// Durations and times for people.
#pragma once

#include <chrono>
#include <string>

namespace pool_view {

// "0.08 ms", "350 ms", "2.0 s", "3 min 20 s", "2 h 5 min", "3 d 4 h"
std::string duration_text(std::chrono::microseconds duration);

// The same, from tenths of a second on: of what goes on, and is looked at again and again.
std::string age_text(std::chrono::milliseconds age);

// Local: "2026-11-21 09:15:34"
std::string time_text(std::chrono::milliseconds since_the_epoch);

}  // namespace pool_view
