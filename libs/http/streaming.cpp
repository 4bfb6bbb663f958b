#include "http/streaming.hpp"

#include "http/beast_messages.hpp"
#include "io/log.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <array>

namespace http {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

struct CancelAtEnd {
    io::TaskGroup& tasks;
    ~CancelAtEnd() { tasks.cancel(); }
};

}  // namespace

Streaming::Streaming(ByteStream& connection, const Limits& limits,
                     const std::function<void(Activity)>& on_progress, bool is_chunked)
    : connection_(connection),
      on_progress_(on_progress),
      is_chunked_(is_chunked),
      limits_(limits),
      tasks_(connection.executor(), io::log_exception) {}

asio::awaitable<void> Streaming::run(const BodyProducer& producer) {
    tasks_.spawn("watching the client of a stream", watch());
    tasks_.spawn("the stream of an HTTP response", produce(producer));
    co_await tasks_.join_or_cancel();
}

// A client has nothing to send after its request; one that sends much anyway is taken as gone.
asio::awaitable<void> Streaming::watch() {
    CancelAtEnd cancel_at_end{tasks_};
    error_code ec;
    std::array<char, 1024> ignored;
    constexpr std::size_t most_ignored = 64 * 1024;
    for (std::size_t total = 0; !ec && total < most_ignored;) {
        connection_.expires_never();
        total += co_await connection_.read_some(asio::buffer(ignored), ec);
    }
}

asio::awaitable<void> Streaming::produce(const BodyProducer& producer) {
    CancelAtEnd cancel_at_end{tasks_};
    co_await producer(*this);
    if (is_chunked_) co_await send("0\r\n\r\n");
}

asio::awaitable<void> Streaming::write(std::string piece) {
    if (piece.empty()) co_return;  // which would be the last one
    if (!is_chunked_) {
        co_await send(piece);
        co_return;
    }
    std::string chunk = chunk_of(piece);
    piece = {};
    co_await send(chunk);
}

// Sends in parts, so that a slow client has time as long as it reads anything at all.
asio::awaitable<void> Streaming::send(std::string_view text) {
    while (!text.empty()) {
        connection_.expires_after(limits_.write);
        error_code ec;
        text.remove_prefix(co_await connection_.write_some(asio::buffer(text), ec));
        if (ec) throw boost::system::system_error(asio::error::operation_aborted);
        on_progress_(Activity::stream);
    }
}

}  // namespace http
