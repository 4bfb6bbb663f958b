// Sends a body that is produced over time, and meanwhile watches whether its client is still there. For
// http::Session.
#pragma once

#include "http/beast_messages.hpp"
#include "http/response_stream.hpp"
#include "http/server.hpp"
#include "io/log.hpp"
#include "io/task_group.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace http {

// The references must outlive run(). `Connection` as for http::Session.
template<class Connection>
class Streaming : private ResponseStream {
  public:
    Streaming(Connection& connection, const Limits& limits, const std::function<void(Activity)>& on_progress,
              bool is_chunked)
        : connection_(connection),
          on_progress_(on_progress),
          is_chunked_(is_chunked),
          limits_(limits),
          tasks_(connection.get_executor(), io::log_exception) {}

    // Returns when the producer has ended.
    boost::asio::awaitable<void> run(const BodyProducer& producer) {
        tasks_.spawn("watching the client of a stream", watch());
        tasks_.spawn("the stream of an HTTP response", produce(producer));
        co_await tasks_.join_or_cancel();
    }

  private:
    // A client has nothing to send after its request; one that sends much anyway is taken as gone.
    boost::asio::awaitable<void> watch() {
        CancelAtEnd cancel_at_end{tasks_};
        boost::system::error_code ec;
        std::array<char, 1024> ignored;
        constexpr std::size_t most_ignored = 64 * 1024;
        for (std::size_t total = 0; !ec && total < most_ignored;) {
            connection_.expires_never();
            total += co_await connection_.async_read_some(
                boost::asio::buffer(ignored), boost::asio::redirect_error(boost::asio::use_awaitable, ec));
        }
    }

    boost::asio::awaitable<void> produce(const BodyProducer& producer) {
        CancelAtEnd cancel_at_end{tasks_};
        co_await producer(*this);
        if (is_chunked_) co_await send("0\r\n\r\n");
    }

    boost::asio::awaitable<void> write(std::string piece) override {
        if (piece.empty()) co_return;  // which would be the last one
        if (!is_chunked_) {
            co_await send(piece);
            co_return;
        }
        std::string chunk = chunk_of(piece);
        piece = {};
        co_await send(chunk);
    }

    // In parts, so that a slow client has time as long as it reads anything at all.
    boost::asio::awaitable<void> send(std::string_view text) {
        while (!text.empty()) {
            connection_.expires_after(limits_.write);
            boost::system::error_code ec;
            text.remove_prefix(co_await connection_.async_write_some(
                boost::asio::buffer(text), boost::asio::redirect_error(boost::asio::use_awaitable, ec)));
            if (ec) throw boost::system::system_error(boost::asio::error::operation_aborted);
            on_progress_(Activity::stream);
        }
    }

    struct CancelAtEnd {
        io::TaskGroup& tasks;
        ~CancelAtEnd() { tasks.cancel(); }
    };

    Connection& connection_;
    const std::function<void(Activity)>& on_progress_;
    bool is_chunked_;
    const Limits& limits_;
    io::TaskGroup tasks_;
};

}  // namespace http
