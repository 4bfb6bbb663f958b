#include "http/session.hpp"

#include "http/streaming.hpp"
#include "io/log.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <utility>

namespace http {

namespace asio = boost::asio;

namespace {

constexpr std::size_t most_read = 16 * 1024;         // bytes at once
constexpr std::size_t most_with_header = 16 * 1024;  // of a body that is copied, to be sent in one piece

asio::awaitable<bool> is_cancelled() {
    auto state = co_await asio::this_coro::cancellation_state;
    co_return state.cancelled() != asio::cancellation_type::none;
}

}  // namespace

Session::Session(ByteStream& stream, const Limits& limits, const Handler& handler,
                 std::function<void(Activity)> on_progress, std::string client)
    : stream_(stream),
      limits_(limits),
      handler_(handler),
      on_progress_(std::move(on_progress)),
      client_(std::move(client)) {}

asio::awaitable<void> Session::run() {
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

// False if there is no valid request; then the client has been told why, as far as it can be.
asio::awaitable<bool> Session::read() {
    parser_.emplace();
    parser_->eager(true);
    parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
    parser_->body_limit(limits_.body_bytes);
    Error ec = co_await parse();
    on_progress_(Activity::requests);
    if (!ec) co_return true;
    keep_alive_ = false;
    if (auto response = response_to_mistake(ec)) {
        BeastResponse sent = to_beast(*response, 11, false);
        co_await write(sent);
    }
    co_return false;
}

// What is there is parsed first, and the rest as it comes.
asio::awaitable<Session::Error> Session::parse() {
    Error ec;
    while (!ec && !parser_->is_done()) {
        if (buffer_.size() > 0) {
            buffer_.consume(parser_->put(buffer_.data(), ec));
            if (ec != beast_http::error::need_more) continue;
        }
        ec = co_await read_more();
    }
    co_return ec;
}

asio::awaitable<Session::Error> Session::read_more() {
    Error ec;
    std::size_t length = co_await stream_.read_some(buffer_.prepare(most_read), ec);
    buffer_.commit(length);
    if (ec != asio::error::eof) co_return ec;
    if (!parser_->got_some()) co_return beast_http::error::end_of_stream;
    ec = {};
    parser_->put_eof(ec);
    co_return ec;
}

asio::awaitable<bool> Session::respond() {
    const auto& message = parser_->get();
    keep_alive_ = message.keep_alive();
    unsigned version = message.version();
    bool is_head = message.method() == beast_http::verb::head;
    Request request = from_beast(parser_->release());
    request.client = client_;
    std::optional<Response> response = co_await answer(request);
    if (!response) co_return false;
    BeastResponse sent = to_beast(*response, version, keep_alive_);
    if (is_head) sent.body() = {};  // Content-Length stays
    bool is_written = co_await write(sent);
    if (!is_written || !response->stream) co_return is_written;
    if (!is_head) co_await stream(response->stream, sent.chunked());
    co_return false;
}

// Nothing if the server is being stopped.
asio::awaitable<std::optional<Response>> Session::answer(const Request& request) {
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

asio::awaitable<bool> Session::write(const BeastResponse& response) {
    std::string text = header_text(response);
    std::string_view body(response.body().data(), response.body().size());
    if (body.size() <= most_with_header) text += std::exchange(body, {});
    bool is_written = co_await send(text);
    if (is_written) is_written = co_await send(body);
    co_return is_written;
}

// Sends in parts, so that a slow client has time as long as it reads anything at all.
asio::awaitable<bool> Session::send(std::string_view text) {
    Error ec;
    while (!ec && !text.empty()) {
        stream_.expires_after(limits_.write);
        text.remove_prefix(co_await stream_.write_some(asio::buffer(text), ec));
        on_progress_(Activity::requests);
    }
    co_return !ec;
}

asio::awaitable<void> Session::stream(const BodyProducer& producer, bool is_chunked) {
    bool is_stopped = co_await is_cancelled();
    if (is_stopped) co_return;
    on_progress_(Activity::stream);
    Streaming streaming(stream_, limits_, on_progress_, is_chunked);
    co_await streaming.run(producer);
}

// Waits until the first byte of the next request.
asio::awaitable<bool> Session::wait_for_next() {
    if (buffer_.size() == 0) {
        stream_.expires_after(limits_.idle);
        Error ec;
        std::size_t length = co_await stream_.read_some(buffer_.prepare(most_read), ec);
        if (ec) co_return false;
        buffer_.commit(length);
    }
    stream_.expires_after(limits_.request);
    co_return true;
}

}  // namespace http
