#include "progress/words.hpp"

#include <algorithm>
#include <cstdio>

namespace progress {

std::string clock_text(Duration span) {
    long seconds = std::max<long>(0, std::chrono::floor<std::chrono::seconds>(span).count());
    char text[48];
    if (seconds < 3600)
        std::snprintf(text, sizeof text, "%ld:%02ld", seconds / 60, seconds % 60);
    else
        std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", seconds / 3600, seconds / 60 % 60, seconds % 60);
    return text;
}

std::string rate_text(double per_second) {
    char text[48];
    int digits = per_second < 0.1 ? 2 : per_second < 100 ? 1 : 0;
    std::snprintf(text, sizeof text, "%.*f/s", digits, per_second);
    return text;
}

}  // namespace progress
