// An HTTP server inside an io_context of its caller: HTTP/1.1 and 1.0, many requests on a connection. What
// clients do costs bounded memory and bounded time: slow, silent and excessive ones are disconnected
// (docs/metrics.md, "Clients that misbehave").
#pragma once

#include "base/error.hpp"
#include "http/address.hpp"
#include "http/message.hpp"
#include "io/task_group.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>

namespace http {

struct Limits {
    std::size_t connections = 64;  // the one that has been silent for longest makes room for the next; a
                                   // stream does so only if there are no others
    std::size_t header_bytes = 16 * 1024;
    std::size_t body_bytes = 64 * 1024;
    std::chrono::seconds request{
        10};  // from its first byte to its last one, and for the first one on a connection
    std::chrono::seconds idle{60};   // between two requests
    std::chrono::seconds write{30};  // without any progress
};

// Makes the response to a request. An exception that leaves it is logged, and answered with status 500.
using Handler = std::function<boost::asio::awaitable<Response>(const Request&)>;

// What a connection is used for at the moment.
enum class Activity { requests, stream };

class Connection;

// Makes a connection from a socket that has been accepted.
using Transport = std::function<std::shared_ptr<Connection>(boost::asio::ip::tcp::socket)>;

std::shared_ptr<Connection> make_plain_connection(boost::asio::ip::tcp::socket socket);

// To be used from the executor's thread only. stop() must have returned before destruction, unless listen()
// failed.
class Server {
  public:
    Server(boost::asio::any_io_executor executor, Limits limits, Handler handler,
           Transport transport = make_plain_connection);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Begins to serve, and returns the address with the port in use. An error names the address.
    base::Result<Address> listen(const Address& address);

    // Closes all connections, whatever they are doing, and returns when nothing is left.
    boost::asio::awaitable<void> stop();

  private:
    struct Served;
    using Connections = std::list<std::shared_ptr<Served>>;

    boost::asio::awaitable<void> accept();
    boost::asio::awaitable<void> serve(std::shared_ptr<Served> served);
    void make_room();
    void move_to_end(Served& served, Activity activity);
    Connections& list_of(const Served& served);

    Limits limits_;
    Handler handler_;
    Transport transport_;
    boost::asio::ip::tcp::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    // The one that has been silent for longest is first.
    Connections connections_;
    Connections streams_;
    io::TaskGroup tasks_;
};

}  // namespace http
