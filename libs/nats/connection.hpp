// One connection to one NATS server: TCP, and TLS on top of it. Bytes only. All calls from the executor's
// thread; one read and one write at a time.
#pragma once

#include "base/error.hpp"
#include "nats/server_address.hpp"
#include "tls/client.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <memory>
#include <optional>
#include <string>

namespace nats {

class Connection {
  public:
    Connection(boost::asio::any_io_executor executor, ServerAddress server, tls::ClientFiles files);

    // Tries all addresses of the host in turn.
    boost::asio::awaitable<base::Result<void>> connect();
    // Reads the files, and makes the handshake.
    boost::asio::awaitable<base::Result<void>> secure();

    // Reads at least one byte.
    boost::asio::awaitable<base::Result<std::size_t>> read(boost::asio::mutable_buffer buffer);
    boost::asio::awaitable<base::Result<void>> write(std::string bytes);

    // Operations that are under way end with an error. What was written and has not left this machine never
    // does.
    void close();

  private:
    using Socket = boost::asio::ip::tcp::socket;

    base::Result<void> open(const boost::asio::ip::tcp::endpoint& endpoint);
    base::Error problem(boost::system::error_code failure) const;

    ServerAddress server_;
    tls::ClientFiles files_;
    Socket socket_;
    bool is_closed_ = false;
    std::shared_ptr<boost::asio::ssl::context> context_;
    std::optional<boost::asio::ssl::stream<Socket&>> tls_;
};

}  // namespace nats
