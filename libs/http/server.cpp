#include "http/server.hpp"

#include "base/text.hpp"
#include "http/connection.hpp"
#include "io/log.hpp"
#include "io/unique_fd.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <sys/resource.h>
#include <sys/socket.h>

namespace http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::chrono::milliseconds shortage_pause{100};

// Most descriptors stay for other work of this process.
std::size_t most_connections(std::size_t wanted) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
    return std::clamp<std::size_t>(limit.rlim_cur / 8, 1, wanted);
}

// A failure costs only speed, or time until a client is known to be gone.
void set_options(int socket, const Limits& limits) {
    int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    // With this limit, a slow client of a stream does not get old news first.
    int most_unsent = 64 * 1024;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most_unsent, sizeof most_unsent);
    // Nothing is heard of a client whose machine is gone.
    auto patience =
        static_cast<unsigned>(std::chrono::duration_cast<std::chrono::milliseconds>(limits.write).count());
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
}

}  // namespace

struct Server::Served {
    std::shared_ptr<Connection> connection;
    Activity activity = Activity::requests;  // says in which of the server's lists it is
    // Nothing once it has been closed to make room for another.
    std::optional<std::list<std::shared_ptr<Served>>::iterator> position = std::nullopt;
};

Server::Server(asio::any_io_executor executor, Limits limits, Handler handler, Transport transport)
    : limits_(limits),
      handler_(std::move(handler)),
      transport_(std::move(transport)),
      acceptor_(executor),
      pause_(executor),
      tasks_(executor, io::log_exception) {
    limits_.connections = most_connections(limits.connections);
}

Server::~Server() = default;

base::Result<Address> Server::listen(const Address& address) {
    io::UniqueFd socket(::socket(address.data()->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    int yes = 1;
    bool is_listening = socket &&
                        ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                        ::bind(socket.get(), address.data(), static_cast<socklen_t>(address.size())) == 0 &&
                        ::listen(socket.get(), SOMAXCONN) == 0;
    int problem = errno;
    if (!is_listening)
        return base::system_error(base::concat("cannot listen on ", address_text(address)), problem);
    error_code ec;
    acceptor_.assign(address.protocol(), socket.release(), ec);
    Address bound = acceptor_.local_endpoint(ec);
    tasks_.spawn("accepting HTTP connections", accept());
    return bound;
}

asio::awaitable<void> Server::stop() {
    error_code ignored;
    acceptor_.close(ignored);
    tasks_.cancel();
    for (const auto* list : {&connections_, &streams_})
        for (const auto& served : *list)
            served->connection->close();
    co_await tasks_.join();
}

// Calls accept4 itself, because Asio's accept does not set close-on-exec.
asio::awaitable<void> Server::accept() {
    while (true) {
        co_await acceptor_.async_wait(tcp::acceptor::wait_read, asio::use_awaitable);
        io::UniqueFd socket(
            ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)) {
            pause_.expires_after(shortage_pause);
            co_await pause_.async_wait(asio::use_awaitable);
        }
        if (!socket) continue;
        make_room();
        set_options(socket.get(), limits_);
        tcp::socket accepted(acceptor_.get_executor(), acceptor_.local_endpoint().protocol(),
                             socket.release());
        auto served = std::make_shared<Served>(transport_(std::move(accepted)));
        served->position = connections_.insert(connections_.end(), served);
        tasks_.spawn("an HTTP connection", serve(served));
    }
}

void Server::make_room() {
    if (connections_.size() + streams_.size() < limits_.connections) return;
    auto& list = connections_.empty() ? streams_ : connections_;
    list.front()->connection->close();
    list.front()->position.reset();
    list.pop_front();
}

void Server::move_to_end(Served& served, Activity activity) {
    if (!served.position) return;
    Connections& from = list_of(served);
    served.activity = activity;
    Connections& to = list_of(served);
    to.splice(to.end(), from, *served.position);
}

Server::Connections& Server::list_of(const Served& served) {
    return served.activity == Activity::stream ? streams_ : connections_;
}

asio::awaitable<void> Server::serve(std::shared_ptr<Served> served) {
    struct Removal {
        Server& server;
        Served& served;
        ~Removal() {
            if (served.position) server.list_of(served).erase(*served.position);
        }
    } removal{*this, *served};
    std::function<void(Activity)> on_progress = [this, &served](Activity activity) {
        move_to_end(*served, activity);
    };
    co_await served->connection->serve(limits_, handler_, on_progress);
}

}  // namespace http
