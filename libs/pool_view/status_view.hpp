// A pool's status as a person sees it: lines for `troupe status` and `troupe top`. Pure, but for the local
// time zone.
#pragma once

#include "pool_protocol/status.hpp"
#include "terminal/size.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace pool_view {

struct Looks {
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    // No line is longer; where they are too many, agents are left out, and the last line says how many.
    terminal::Size size{unlimited, unlimited};
    bool colored = false;
};

// Agents at work come first, the longest at it before the others; then those that end their work, those that
// are asked whether they are there, and the idle ones.
std::vector<std::string> status_lines(const pool_protocol::Status& status, Looks looks);

// The whole screen of `troupe top`: the status, and below it how to end. As many lines as there are rows.
std::vector<std::string> screen_lines(const pool_protocol::Status& status, Looks looks);
// The same while there is no status; `problem` is why.
std::vector<std::string> screen_lines(std::string_view problem, Looks looks);

}  // namespace pool_view
