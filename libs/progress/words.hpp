// Durations and rates as text. Internal to this room.
#pragma once

#include "progress/rate.hpp"

#include <string>

namespace progress {

// "0:07", "12:05", "1:02:03"; "0:00" for a negative duration.
std::string clock_text(Duration span);

// "0.05/s", "6.1/s", "1234/s"
std::string rate_text(double per_second);

}  // namespace progress
