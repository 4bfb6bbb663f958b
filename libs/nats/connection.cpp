#include "nats/connection.hpp"

#include "base/text.hpp"
#include "io/name_lookup.hpp"
#include "io/unique_fd.hpp"
#include "nats/error.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace nats {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// How long the server's machine may be silent while it is sent something, in milliseconds.
constexpr unsigned patience = 15'000;

// A failure costs only speed, or time until a server is known to be gone.
void set_options(int socket) {
    int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
}

base::Error cannot_connect(const ServerAddress& server, const std::string& reason) {
    return error(Errc::unreachable, base::concat("cannot connect to ", address_text(server), ": ", reason));
}

}  // namespace

Connection::Connection(asio::any_io_executor executor, ServerAddress server, tls::ClientFiles files)
    : server_(std::move(server)), files_(std::move(files)), socket_(executor) {}

// Makes the socket itself, because Asio's is not close-on-exec.
base::Result<void> Connection::open(const tcp::endpoint& endpoint) {
    int family = endpoint.data()->sa_family;
    io::UniqueFd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return base::system_error("cannot make a socket");
    set_options(socket.get());
    error_code ec;
    socket_.close(ec);
    socket_.assign(endpoint.protocol(), socket.get(), ec);
    if (ec) return base::Error{ec, ec.message()};
    (void)socket.release();
    return {};
}

asio::awaitable<base::Result<void>> Connection::connect() {
    auto endpoints = co_await io::look_up(server_.host, server_.port);
    if (endpoints.has_error()) co_return error(Errc::unreachable, endpoints.error().message);
    std::string reason;
    for (const tcp::endpoint& endpoint : *endpoints) {
        if (is_closed_) break;
        if (auto opened = open(endpoint); opened.has_error()) {
            reason = opened.error().message;
            continue;
        }
        error_code ec;
        co_await socket_.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, ec));
        if (!ec) co_return base::Result<void>();
        // The first address of localhost is the usual one.
        if (reason.empty()) reason = ec.message();
    }
    co_return cannot_connect(server_, reason);
}

asio::awaitable<base::Result<void>> Connection::secure() {
    auto context = tls::load_client(files_);
    if (context.has_error()) co_return error(Errc::tls, context.error().message);
    context_ = std::move(*context);
    tls_.emplace(socket_, *context_);
    tls::expect_server(*tls_->native_handle(), server_.certificate_name);
    error_code ec;
    co_await tls_->async_handshake(asio::ssl::stream_base::client,
                                   asio::redirect_error(asio::use_awaitable, ec));
    if (!ec) co_return base::Result<void>();
    std::string text = ec == asio::ssl::error::stream_truncated || ec == asio::error::eof
                           ? "it has closed the connection"
                           : tls::problem_text(*tls_->native_handle(), ec, files_, server_.certificate_name);
    co_return error(Errc::tls, base::concat("no TLS with the server ", address_text(server_), ": ", text));
}

base::Error Connection::problem(error_code failure) const {
    if (failure == asio::error::eof || failure == asio::ssl::error::stream_truncated)
        return error(Errc::disconnected,
                     base::concat("the server ", address_text(server_), " has closed it"));
    // With TLS 1.3 a server looks at the client's certificate after the handshake.
    if (tls_ && failure.category() == asio::error::get_ssl_category()) {
        auto* connection = const_cast<asio::ssl::stream<Socket&>&>(*tls_).native_handle();
        return error(Errc::tls,
                     base::concat("no TLS with the server ", address_text(server_), ": ",
                                  tls::problem_text(*connection, failure, files_, server_.certificate_name)));
    }
    return error(Errc::disconnected, base::concat(address_text(server_), ": ", failure.message()));
}

asio::awaitable<base::Result<std::size_t>> Connection::read(asio::mutable_buffer buffer) {
    error_code ec;
    std::size_t size = 0;
    if (tls_)
        size = co_await tls_->async_read_some(buffer, asio::redirect_error(asio::use_awaitable, ec));
    else
        size = co_await socket_.async_read_some(buffer, asio::redirect_error(asio::use_awaitable, ec));
    if (ec) co_return problem(ec);
    co_return size;
}

asio::awaitable<base::Result<void>> Connection::write(std::string bytes) {
    error_code ec;
    if (tls_)
        co_await asio::async_write(*tls_, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, ec));
    else
        co_await asio::async_write(socket_, asio::buffer(bytes),
                                   asio::redirect_error(asio::use_awaitable, ec));
    if (ec) co_return problem(ec);
    co_return base::Result<void>();
}

// The connection is reset: otherwise the kernel would go on sending, for minutes, what nobody counts on any
// more.
void Connection::close() {
    is_closed_ = true;
    error_code ignored;
    socket_.set_option(asio::socket_base::linger(true, 0), ignored);
    socket_.close(ignored);
}

}  // namespace nats
