#include "terminal/units.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace terminal {

namespace {

std::string two_units(std::int64_t large, const char* large_unit, std::int64_t small,
                      const char* small_unit) {
    return base::concat(large, large_unit, small, small_unit);
}

std::string tenths(std::uint64_t value, std::uint64_t unit, const char* name) {
    return base::concat(value / unit, ".", value % unit * 10 / unit, name);
}

}  // namespace

// The duration is rounded down, so that 59.99 s is not shown as 1 min.
std::string duration_text(std::chrono::microseconds duration) {
    std::int64_t us = std::max<std::int64_t>(duration.count(), 0);
    std::int64_t ms = us / 1000;
    std::int64_t seconds = ms / 1000;
    if (us < 10) return "<0.01 ms";  // 0.00 would look as if nothing was measured
    if (ms < 1) return base::concat("0.", us / 100, us / 10 % 10, " ms");
    if (ms < 10) return base::concat(ms, ".", us / 100 % 10, " ms");
    if (ms < 1000) return base::concat(ms, " ms");
    if (seconds < 60) return base::concat(seconds, ".", ms % 1000 / 100, " s");
    if (seconds < 3600) return two_units(seconds / 60, " min ", seconds % 60, " s");
    if (seconds < 86400) return two_units(seconds / 3600, " h ", seconds % 3600 / 60, " min");
    return two_units(seconds / 86400, " d ", seconds % 86400 / 3600, " h");
}

std::string age_text(std::chrono::milliseconds age) {
    if (age >= std::chrono::seconds(1)) return duration_text(age);
    return base::concat("0.", std::max<std::int64_t>(age.count(), 0) / 100, " s");
}

std::string time_text(std::chrono::milliseconds since_the_epoch) {
    auto seconds = static_cast<std::time_t>(since_the_epoch.count() / 1000);
    std::tm local{};
    char text[64];
    if (!::localtime_r(&seconds, &local) ||
        std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local) == 0)
        return base::concat(since_the_epoch.count(), " ms");
    return text;
}

std::string time_text(std::chrono::milliseconds since_the_epoch, std::chrono::milliseconds now) {
    constexpr std::size_t date = sizeof "2026-11-21";
    std::string text = time_text(since_the_epoch);
    bool is_near = std::chrono::abs(since_the_epoch - now) <= std::chrono::hours(12);
    return is_near && text.size() > date ? text.substr(date) : text;
}

std::string size_text(std::uint64_t bytes) {
    if (bytes < 1000) return base::counted(bytes, "byte");
    if (bytes < 1'000'000) return tenths(bytes, 1000, " kB");
    if (bytes < 1'000'000'000) return tenths(bytes, 1'000'000, " MB");
    return tenths(bytes, 1'000'000'000, " GB");
}

}  // namespace terminal
