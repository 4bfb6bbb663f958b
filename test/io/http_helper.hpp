// An HTTP server and a client of it in one loop.
#pragma once

#include "http/server.hpp"
#include "io_helper.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <string>
#include <string_view>

namespace test {

using asio::ip::tcp;
using boost::system::error_code;

inline std::string get(std::string_view target, std::string_view version = "1.1") {
    return "GET " + std::string(target) + " HTTP/" + std::string(version) + "\r\nHost: localhost\r\n\r\n";
}

class HttpClient {
  public:
    explicit HttpClient(asio::io_context& loop) : socket(loop) {}

    asio::awaitable<void> send(http::Address address, std::string text) {
        co_await socket.async_connect(address, asio::use_awaitable);
        co_await asio::async_write(socket, asio::buffer(text), asio::use_awaitable);
    }

    // What has come until `end` has, or until the connection's end.
    asio::awaitable<std::string> read_until(std::string end) {
        error_code ec;
        std::array<char, 16384> piece;
        while (!ec && received.find(end) == std::string::npos)
            received.append(piece.data(),
                            co_await socket.async_read_some(asio::buffer(piece),
                                                            asio::redirect_error(asio::use_awaitable, ec)));
        co_return received;
    }

    asio::awaitable<std::string> read_all() { return read_until(std::string("\0never\0", 7)); }

    tcp::socket socket;
    std::string received;
};

inline http::Address listen(http::Server& server) {
    auto address = server.listen(*http::parse_address("127.0.0.1:0"));
    REQUIRE(address.has_value());
    return *address;
}

inline std::string body_of(const std::string& response) {
    return response.substr(response.find("\r\n\r\n") + 4);
}

}  // namespace test
