// The system's time, at the resolution at which files and messages have it.
#pragma once

#include <chrono>

namespace base {

inline std::chrono::sys_time<std::chrono::milliseconds> system_time() {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace base
