// The recent rate of an event, in whole seconds. A value; time is an argument.
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
    // The number of seconds that count, including the current one.
    static constexpr std::int64_t window = 30;

    // Starts the measurement; the time before it does not count. Only the first call has an effect.
    void begin(Time now);
    // `now` must not decrease.
    void add(Time now);

    // The mean number of events per second since begin() or within the window. Empty until a second has
    // passed and three events have happened, because fewer say nothing.
    std::optional<double> per_second(Time now) const;

  private:
    void advance(std::int64_t second);

    std::array<std::uint32_t, window> counts_{};  // by second, modulo the window
    std::int64_t last_ = 0;                       // the last second that was counted
    std::optional<Time> begun_;
};

}  // namespace progress
