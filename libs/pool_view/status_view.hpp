// The status of a pool as text, for `troupe status` and `troupe top`. Pure, except that it reads the local
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

struct DisplayOptions {
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    // Lines are not longer; if there are too many, agents are omitted, and the last line says how many.
    terminal::Size size{unlimited, unlimited};
    bool colored = false;
};

// Busy agents come first, the longest-working one at the top; then agents that are ending their work, agents
// that were sent a heartbeat, and idle ones.
std::vector<std::string> status_lines(const pool_protocol::Status& status, DisplayOptions options);

// The whole screen of `troupe top`: the status, followed by the key to quit. As many lines as there are rows.
std::vector<std::string> screen_lines(const pool_protocol::Status& status, DisplayOptions options);
// The whole screen while there is no status; `problem` is the reason.
std::vector<std::string> screen_lines(std::string_view problem, DisplayOptions options);

}  // namespace pool_view
