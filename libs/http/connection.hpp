// A connection of the server: over TCP as it is, or with TLS (tls/transport.hpp). For transports.
#pragma once

#include "http/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include <functional>
#include <memory>
#include <string>

namespace http {

class Connection {
  public:
    virtual ~Connection() = default;

    // Answers requests until the connection is to be closed, and closes it. `on_progress` is called whenever
    // the client has sent or read something. The references must outlive it.
    virtual boost::asio::awaitable<void> serve(const Limits& limits, const Handler& handler,
                                               std::function<void(Activity)> on_progress) = 0;

    // Ends serve() soon.
    virtual void close() = 0;
};

// The other end, as for http::Request; "" if it has gone.
std::string client_of(const boost::asio::ip::tcp::socket& socket);

// Gives the client a second to read the last response, and closes the connection.
boost::asio::awaitable<void> say_farewell(boost::beast::tcp_stream& stream);

}  // namespace http
