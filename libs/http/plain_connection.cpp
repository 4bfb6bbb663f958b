#include "http/byte_stream.hpp"
#include "http/connection.hpp"
#include "http/session.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>

namespace http {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::chrono::seconds farewell{1};
constexpr std::size_t most_discarded = 1 << 20;

class PlainConnection : public Connection {
  public:
    explicit PlainConnection(tcp::socket socket) : stream_(std::move(socket)) {}

    asio::awaitable<void> serve(const Limits& limits, const Handler& handler,
                                std::function<void(Activity)> on_progress) override {
        ByteStreamOf<boost::beast::tcp_stream> bytes(stream_);
        Session session(bytes, limits, handler, std::move(on_progress), client_of(stream_.socket()));
        co_await session.run();
        co_await say_farewell(stream_);
    }

    void close() override { stream_.close(); }

  private:
    boost::beast::tcp_stream stream_;
};

}  // namespace

std::shared_ptr<Connection> make_plain_connection(tcp::socket socket) {
    return std::make_shared<PlainConnection>(std::move(socket));
}

std::string client_of(const tcp::socket& socket) {
    boost::system::error_code ec;
    auto other_end = socket.remote_endpoint(ec);
    return ec ? "" : address_text(other_end);
}

// Closing a socket with unread input would make the client lose the response.
asio::awaitable<void> say_farewell(boost::beast::tcp_stream& stream) {
    boost::system::error_code ec;
    stream.socket().shutdown(tcp::socket::shutdown_send, ec);
    stream.expires_after(farewell);
    std::array<char, 4096> discarded;
    for (std::size_t total = 0; !ec && total < most_discarded; total += discarded.size())
        co_await stream.async_read_some(asio::buffer(discarded),
                                        asio::redirect_error(asio::use_awaitable, ec));
    stream.close();
}

}  // namespace http
