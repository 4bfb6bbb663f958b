// The engine of a pool on NATS JetStream: edge_shell::Engine with the client of libs/nats. docs/hosts.md says
// how the terms of an engine are mapped. Creates the streams and consumers that it needs. Decides nothing
// about tasks.
#pragma once

#include "edge/engine.hpp"
#include "edge_shell/engine.hpp"
#include "nats/client.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <string>
#include <vector>

namespace nats_engine {

struct Settings {
    std::string pool;                          // letters, digits, '-' and '_'
    edge::EdgeId self;                         // no other edge of the pool has the same
    std::vector<nats::ServerAddress> servers;  // at least one
    nats::Client::Files files{};
    int replicas = 1;  // of streams that are created
    edge::Times times{};
    std::string version{};  // of this program
};

// What is wrong with the streams, or missing on the server, is reported by on_disconnected: once for each
// sentence until the next connection. It is tried again, after 1 s and later up to every 30 s. A permission
// that the user lacks is told in the log, once for each kind of subject.
std::unique_ptr<edge_shell::Engine> make(boost::asio::any_io_executor executor, Settings settings);

}  // namespace nats_engine
