#include "progress/rate.hpp"

#include <algorithm>

namespace progress {

namespace {

constexpr std::uint64_t least = 3;

std::int64_t second_of(Time time) {
    return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

std::size_t place(std::int64_t second) {
    return static_cast<std::size_t>(second % Rate::window);
}

}  // namespace

void Rate::begin(Time now) {
    if (begun_) return;
    begun_ = now;
    last_ = second_of(now);
}

void Rate::add(Time now) {
    begin(now);
    advance(second_of(now));
    ++counts_[place(last_)];
}

void Rate::advance(std::int64_t second) {
    for (std::int64_t next = std::max(last_ + 1, second - window + 1); next <= second; ++next)
        counts_[place(next)] = 0;
    last_ = std::max(last_, second);
}

std::optional<double> Rate::per_second(Time now) const {
    if (!begun_) return std::nullopt;
    std::int64_t first = second_of(now) - window + 1;
    std::uint64_t count = 0;
    for (std::int64_t second = std::max(first, last_ - window + 1); second <= last_; ++second)
        if (second >= 0) count += counts_[place(second)];
    Time from = std::max(*begun_, Time(std::chrono::seconds(first)));
    double seconds = std::chrono::duration<double>(now - from).count();
    if (count < least || seconds < 1) return std::nullopt;
    return static_cast<double>(count) / seconds;
}

}  // namespace progress
