// Simulated time: what happens when.
#pragma once

#include "edge/engine.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace hosts {

using edge::Duration;
using edge::Time;
using namespace std::chrono_literals;

class Agenda {
  public:
    using Happening = std::function<void()>;

    Time now() const { return now_; }
    void in(Duration delay, Happening happening) {
        items_.push_back({now_ + delay, ++last_, std::move(happening)});
        std::ranges::push_heap(items_, Later{});
    }
    // What happens until then.
    void run_until(Time end) {
        while (!items_.empty() && items_.front().at <= end) {
            std::ranges::pop_heap(items_, Later{});
            Item item = std::move(items_.back());
            items_.pop_back();
            now_ = item.at;
            item.happening();
        }
        now_ = end;
    }

  private:
    struct Item {
        Time at;
        std::uint64_t order;
        Happening happening;
    };
    struct Later {
        bool operator()(const Item& left, const Item& right) const {
            return left.at == right.at ? left.order > right.order : left.at > right.at;
        }
    };

    Time now_{};
    std::uint64_t last_ = 0;
    std::vector<Item> items_;
};

}  // namespace hosts
