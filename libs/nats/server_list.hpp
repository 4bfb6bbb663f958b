// Which server a client tries next, and when: all servers in turn, in an order of its own, with growing and
// random delays, so that many clients do not return at the same moment. Pure: random numbers follow from a
// seed.
#pragma once

#include "nats/server_address.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace nats {

class ServerList {
  public:
    using Duration = std::chrono::steady_clock::duration;

    // The longest delays: before another server of the same round, and after any round.
    static constexpr Duration between_servers = std::chrono::milliseconds(100);
    static constexpr Duration longest_delay = std::chrono::seconds(5);
    // A connection that lasted so long has succeeded: the delays begin anew.
    static constexpr Duration success = std::chrono::seconds(10);

    // `configured` has at least one server.
    ServerList(std::vector<ServerAddress> configured, std::uint32_t seed);

    // Moves on to the next server, which is current() from then on. Returns how long to wait before it is
    // tried.
    Duration advance();
    const ServerAddress& current() const { return servers_.back().address; }

    // The connection to the current server, which was ready, was lost.
    void lost_after(Duration lasted);

    // What the current server announces of its cluster replaces what was announced before.
    void learn(const std::vector<std::string>& addresses);

    std::size_t size() const { return servers_.size(); }

  private:
    struct Server {
        ServerAddress address;
        bool is_configured;
    };
    std::size_t below(std::size_t limit);
    Duration between(Duration least, Duration most);

    std::mt19937 random_;
    std::deque<Server> servers_;  // the next one first, the current one last
    std::size_t attempts_ = 0;    // since the last success
};

}  // namespace nats
