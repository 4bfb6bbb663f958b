// What a client has for each connection and each request. Private to nats/client.
#pragma once

#include "io/bell.hpp"
#include "nats/client.hpp"
#include "nats/connection.hpp"

#include <boost/asio/steady_timer.hpp>

#include <optional>

namespace nats {

// One connection, or an attempt at one.
struct Client::Link {
    Link(const boost::asio::any_io_executor& executor, ServerAddress server, tls::ClientFiles files)
        : connection(executor, std::move(server), std::move(files)), output(executor) {}

    Connection connection;
    io::Bell output;  // there is something to write
    bool wants_tls = false;
};

// A coroutine that waits for its reply.
struct Client::Waiter {
    explicit Waiter(const boost::asio::any_io_executor& executor)
        : arrival(executor, boost::asio::steady_timer::time_point::max()) {}

    boost::asio::steady_timer arrival;  // cancelled when the reply is there
    std::optional<base::Result<Message>> reply;
};

}  // namespace nats
