// The requests of one connection, one after the other. For the implementation of the server and for tests.
#pragma once

#include "http/beast_messages.hpp"
#include "http/byte_stream.hpp"
#include "http/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace http {

class Session {
  public:
    // `on_progress` is called whenever the client has sent or read something. The references must outlive
    // run(). `client` is that of the requests.
    Session(ByteStream& stream, const Limits& limits, const Handler& handler,
            std::function<void(Activity)> on_progress, std::string client = {});

    // Returns when the connection is to be closed.
    boost::asio::awaitable<void> run();

  private:
    using Error = boost::system::error_code;

    boost::asio::awaitable<bool> read();
    boost::asio::awaitable<Error> parse();
    boost::asio::awaitable<Error> read_more();
    boost::asio::awaitable<bool> respond();
    boost::asio::awaitable<std::optional<Response>> answer(const Request& request);
    boost::asio::awaitable<bool> write(const BeastResponse& response);
    boost::asio::awaitable<bool> send(std::string_view text);
    boost::asio::awaitable<void> stream(const BodyProducer& producer, bool is_chunked);
    boost::asio::awaitable<bool> wait_for_next();

    ByteStream& stream_;
    const Limits& limits_;
    const Handler& handler_;
    std::function<void(Activity)> on_progress_;
    std::string client_;
    boost::beast::flat_buffer buffer_;
    std::optional<beast_http::request_parser<beast_http::string_body>> parser_;
    bool keep_alive_ = false;
};

}  // namespace http
