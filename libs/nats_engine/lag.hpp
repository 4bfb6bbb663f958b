// How long the servers take for a request. One request is measured at a time, so that this costs nothing.
// Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace nats_engine {

// `now` must not decrease.
class Lag {
  public:
    using Time = std::chrono::steady_clock::time_point;
    // The measurement of a request; 0 if it is not measured.
    using Measurement = std::uint64_t;

    // A request begins. answered() or withdraw() is to follow; neither has an effect after cut() or clear().
    Measurement begin(Time now);
    void answered(Measurement measurement, Time now);
    void withdraw(Measurement measurement);
    // What has begun is not answered any more.
    void cut() { open_ = 0; }
    // Does what cut() does, and what was measured does not count any more.
    void clear();

    // The lag of the last request that was measured, or of one that is not answered yet, if it takes longer.
    std::optional<std::chrono::microseconds> at(Time now) const;

  private:
    Measurement last_ = 0;
    Measurement open_ = 0;
    Time since_{};
    std::optional<std::chrono::microseconds> measured_;
};

}  // namespace nats_engine
