// Maps the connections of submitters to their numbers in pool::delivery.
#pragma once

#include "io/framed_socket.hpp"
#include "pool/delivery.hpp"

#include <memory>
#include <optional>
#include <unordered_map>

namespace pool_daemon {

class Peers {
  public:
    using Peer = pool::delivery::Peer;
    using Connection = std::shared_ptr<io::FramedSocket>;

    // The connection's number; assigns one if it has none.
    Peer add(const Connection& connection) {
        auto [position, is_new] = numbers_.try_emplace(connection.get(), Peer{last_ + 1});
        if (is_new) connections_.emplace(Peer{++last_}, connection);
        return position->second;
    }
    // Empty if the connection has no number.
    std::optional<Peer> find(const Connection& connection) const {
        auto found = numbers_.find(connection.get());
        return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }
    // Null if it was removed.
    Connection connection(Peer peer) const {
        auto found = connections_.find(peer);
        return found == connections_.end() ? nullptr : found->second;
    }
    void remove(Peer peer) {
        auto connection = connections_.extract(peer);
        if (!connection.empty()) numbers_.erase(connection.mapped().get());
    }

  private:
    std::unordered_map<const io::FramedSocket*, Peer> numbers_;
    std::unordered_map<Peer, Connection> connections_;
    std::uint64_t last_ = 0;
};

}  // namespace pool_daemon
