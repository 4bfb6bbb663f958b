#include "tls/tls_connection.hpp"

#include "http/byte_stream.hpp"
#include "http/session.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <openssl/err.h>
#include <openssl/sslerr.h>

namespace tls {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds farewell{1};

// A stream as http::ByteStreamOf needs it.
class Stream : public asio::ssl::stream<boost::beast::tcp_stream> {
  public:
    using asio::ssl::stream<boost::beast::tcp_stream>::stream;
    void expires_after(std::chrono::seconds time) { next_layer().expires_after(time); }
    void expires_never() { next_layer().expires_never(); }
};

bool is_plain_http(error_code ec) {
    return ec.category() == asio::error::get_ssl_category() &&
           ERR_GET_REASON(static_cast<unsigned long>(ec.value())) == SSL_R_HTTP_REQUEST;
}

class TlsConnection : public http::Connection {
  public:
    TlsConnection(asio::ip::tcp::socket socket, asio::ssl::context& context)
        : stream_(std::move(socket), context) {}

    asio::awaitable<void> serve(const http::Limits& limits, const http::Handler& handler,
                                std::function<void(http::Activity)> on_progress) override {
        stream_.expires_after(limits.request);
        error_code ec;
        co_await stream_.async_handshake(Stream::server, asio::redirect_error(asio::use_awaitable, ec));
        if (is_plain_http(ec)) co_await hint_at_tls();
        if (!ec) {
            http::ByteStreamOf<Stream> bytes(stream_);
            http::Session session(bytes, limits, handler, std::move(on_progress),
                                  http::client_of(stream_.next_layer().socket()));
            co_await session.run();
            stream_.expires_after(farewell);
            co_await stream_.async_shutdown(asio::redirect_error(asio::use_awaitable, ec));
        }
        co_await http::say_farewell(stream_.next_layer());
    }

    void close() override { stream_.next_layer().close(); }

  private:
    asio::awaitable<void> hint_at_tls() {
        http::Response hint = http::text_response(400, "This port speaks TLS: request it with https://.");
        const std::string sent = http::header_text(http::to_beast(hint, 11, false)) + hint.body;
        error_code ignored;
        co_await asio::async_write(stream_.next_layer(), asio::buffer(sent),
                                   asio::redirect_error(asio::use_awaitable, ignored));
    }

    Stream stream_;
};

}  // namespace

std::shared_ptr<http::Connection> make_connection(asio::ip::tcp::socket socket, asio::ssl::context& context) {
    return std::make_shared<TlsConnection>(std::move(socket), context);
}

}  // namespace tls
