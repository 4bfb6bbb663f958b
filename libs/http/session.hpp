// The requests of one connection, one after the other. For the implementation of the server and for tests: a
// template, so that it works on TCP, on TLS, and on a stream in memory.
#pragma once

#include "http/beast_messages.hpp"
#include "http/server.hpp"
#include "http/streaming.hpp"
#include "io/log.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include <exception>
#include <functional>
#include <optional>
#include <string>

namespace http {

template<class Stream>
class Session {
  public:
    // `on_progress` is called whenever the client has sent or read something. The references must outlive
    // run(). A `Stream` has expires_after() and expires_never(), as boost::beast::basic_stream. `client` is
    // that of the requests.
    Session(Stream& stream, const Limits& limits, const Handler& handler,
            std::function<void(Activity)> on_progress, std::string client = {})
        : stream_(stream),
          limits_(limits),
          handler_(handler),
          on_progress_(std::move(on_progress)),
          client_(std::move(client)) {}

    // Returns when the connection is to be closed.
    boost::asio::awaitable<void> run() {
        stream_.expires_after(limits_.request);
        while (true) {
            bool is_read = co_await read();
            if (!is_read) co_return;
            bool is_written = co_await respond();
            if (!is_written || !keep_alive_) co_return;
            bool has_more = co_await wait_for_next();
            if (!has_more) co_return;
        }
    }

  private:
    using Error = boost::system::error_code;
    using Serializer = beast_http::response_serializer<BeastResponse::body_type>;

    // False if there is no valid request; then the client has been told why, as far as it can be.
    boost::asio::awaitable<bool> read() {
        parser_.emplace();
        parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
        parser_->body_limit(limits_.body_bytes);
        Error ec;
        co_await beast_http::async_read(stream_, buffer_, *parser_,
                                        boost::asio::redirect_error(boost::asio::use_awaitable, ec));
        on_progress_(Activity::requests);
        if (!ec) co_return true;
        keep_alive_ = false;
        if (auto response = response_to_mistake(ec)) {
            BeastResponse sent = to_beast(*response, 11, false);
            co_await write(sent);
        }
        co_return false;
    }

    boost::asio::awaitable<bool> respond() {
        const auto& message = parser_->get();
        keep_alive_ = message.keep_alive();
        unsigned version = message.version();
        bool is_head = message.method() == beast_http::verb::head;
        Request request = from_beast(parser_->release());
        request.client = client_;
        std::optional<Response> response = co_await answer(request);
        if (!response) co_return false;
        BeastResponse sent = to_beast(*response, version, keep_alive_);
        if (is_head) {
            sent.body() = {};  // Content-Length stays
        }
        bool is_stream = response->stream != nullptr;
        bool is_written = is_stream ? co_await write_header(sent) : co_await write(sent);
        if (!is_written || !is_stream) co_return is_written;
        if (!is_head) co_await stream(response->stream, sent.chunked());
        co_return false;
    }

    // Nothing if the server is being stopped.
    boost::asio::awaitable<std::optional<Response>> answer(const Request& request) {
        std::optional<Response> response;
        std::exception_ptr failure;
        try {
            response = co_await handler_(request);
        } catch (...) {
            failure = std::current_exception();
        }
        bool is_stopped = co_await is_cancelled();
        if (is_stopped) co_return std::nullopt;
        if (failure) {
            io::log_exception("the response to an HTTP request", failure);
            response = text_response(500, "The server made a mistake; its log says more.");
        }
        co_return response;
    }

    // In pieces, so that a slow client has time as long as it reads anything at all.
    boost::asio::awaitable<bool> write(BeastResponse& response) {
        Serializer serializer(response);
        bool is_written = true;
        while (is_written && !serializer.is_done())
            is_written = co_await write_some(serializer);
        co_return is_written;
    }

    boost::asio::awaitable<bool> write_header(BeastResponse& response) {
        Serializer serializer(response);
        serializer.split(true);
        bool is_written = true;
        while (is_written && !serializer.is_header_done())
            is_written = co_await write_some(serializer);
        co_return is_written;
    }

    boost::asio::awaitable<bool> write_some(Serializer& serializer) {
        stream_.expires_after(limits_.write);
        Error ec;
        co_await beast_http::async_write_some(stream_, serializer,
                                              boost::asio::redirect_error(boost::asio::use_awaitable, ec));
        on_progress_(Activity::requests);
        co_return !ec;
    }

    boost::asio::awaitable<void> stream(const BodyProducer& producer, bool is_chunked) {
        bool is_stopped = co_await is_cancelled();
        if (is_stopped) co_return;
        on_progress_(Activity::stream);
        Streaming<Stream> streaming(stream_, limits_, on_progress_, is_chunked);
        co_await streaming.run(producer);
    }

    boost::asio::awaitable<bool> is_cancelled() {
        auto state = co_await boost::asio::this_coro::cancellation_state;
        co_return state.cancelled() != boost::asio::cancellation_type::none;
    }

    // Until the first byte of the next request.
    boost::asio::awaitable<bool> wait_for_next() {
        constexpr std::size_t piece = 4096;
        if (buffer_.size() == 0) {
            stream_.expires_after(limits_.idle);
            Error ec;
            std::size_t length = co_await stream_.async_read_some(
                buffer_.prepare(piece), boost::asio::redirect_error(boost::asio::use_awaitable, ec));
            if (ec) co_return false;
            buffer_.commit(length);
        }
        stream_.expires_after(limits_.request);
        co_return true;
    }

    Stream& stream_;
    const Limits& limits_;
    const Handler& handler_;
    std::function<void(Activity)> on_progress_;
    std::string client_;
    boost::beast::flat_buffer buffer_;
    std::optional<beast_http::request_parser<beast_http::string_body>> parser_;
    bool keep_alive_ = false;
};

}  // namespace http
