// Times as text that is the same in every time zone.
#pragma once

#include <chrono>
#include <string>

namespace base {

// "2026-11-21T14:05:00Z"
std::string utc_text(std::chrono::sys_seconds time);

}  // namespace base
