// The connection of a host to the engine: what is sent may be late, lost or out of order, and either
// direction may be cut off.
#pragma once

#include "agenda.hpp"
#include "random.hpp"

#include <cstdint>
#include <optional>

namespace hosts {

// How bad a network is.
struct Weather {
    std::uint32_t lost_one_in = 0;   // messages; 0: none
    std::uint32_t slow_one_in = 50;  // of the others; 0: none
};

class Link {
  public:
    enum Direction { out, in };

    Link(Agenda& agenda, workflow_test::Random& random, Weather weather)
        : agenda_(agenda), random_(random), weather_(weather) {}

    void cut(Direction direction, Duration span) { cut_until_[direction] = agenda_.now() + span; }
    void heal() { cut_until_[out] = cut_until_[in] = Time{}; }

    bool is_cut() const { return std::max(cut_until_[out], cut_until_[in]) > agenda_.now(); }

    // How long a message takes; empty: it is lost.
    std::optional<Duration> travel(Direction direction) {
        Duration delay = std::chrono::microseconds(100 + random_.below(20000));
        if (weather_.lost_one_in != 0 && random_.one_in(weather_.lost_one_in)) return {};
        if (weather_.slow_one_in != 0 && random_.one_in(weather_.slow_one_in))
            delay += std::chrono::milliseconds(random_.below(8000));
        if (cut_until_[direction] <= agenda_.now()) return delay;
        // A message waits in buffers for a while, and is then given up.
        Duration rest = cut_until_[direction] - agenda_.now();
        if (rest + delay > 29s || random_.one_in(2)) return {};
        return rest + delay;
    }

  private:
    Agenda& agenda_;
    workflow_test::Random& random_;
    Weather weather_;
    Time cut_until_[2]{};
};

}  // namespace hosts
