// How often something has happened of late, in whole seconds. A value; time is an argument.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace progress {

using Time = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

class Rate {
  public:
    // Of the last so many seconds, the present one included.
    static constexpr std::int64_t window = 30;

    // Counting begins: what was before it is no time in which nothing happened. Only the first call counts.
    void begin(Time now);
    // Times of calls don't go backwards.
    void add(Time now);

    // A second, on average since the beginning or over the window. Nothing before the first second is over
    // and three things have happened in it: less tells nothing.
    std::optional<double> per_second(Time now) const;

  private:
    void advance(std::int64_t second);

    std::array<std::uint32_t, window> counts_{};  // by second, modulo the window
    std::int64_t last_ = 0;                       // the second that was counted last
    std::optional<Time> begun_;
};

}  // namespace progress
