#include "nats_engine/lag.hpp"

#include <algorithm>

namespace nats_engine {

using std::chrono::microseconds;

Lag::Measurement Lag::begin(Time now) {
    if (open_ != 0) return 0;
    since_ = now;
    open_ = ++last_;
    return open_;
}

void Lag::answered(Measurement measurement, Time now) {
    if (measurement == 0 || measurement != open_) return;
    measured_ = std::chrono::floor<microseconds>(now - since_);
    open_ = 0;
}

void Lag::withdraw(Measurement measurement) {
    if (measurement == open_) open_ = 0;
}

void Lag::clear() {
    cut();
    measured_.reset();
}

std::optional<microseconds> Lag::at(Time now) const {
    if (open_ == 0) return measured_;
    auto taken = std::chrono::floor<microseconds>(now - since_);
    return std::max(taken, measured_.value_or(microseconds()));
}

}  // namespace nats_engine
