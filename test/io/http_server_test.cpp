#include "http_helper.hpp"

#include <boost/asio/steady_timer.hpp>

#include <algorithm>

using namespace std::chrono_literals;
using test::get;
using test::HttpClient;
namespace asio = boost::asio;

namespace {

const std::string constant(1 << 20, 'c');

asio::awaitable<http::Response> answer(const http::Request& request) {
    http::Response response = http::text_response(200, std::string(request.path()));
    if (request.path() == "/constant") response.constant_body = constant;
    co_return response;
}

template<class Client>
void with_server(Client client, http::Limits limits = {}) {
    asio::io_context loop(1);
    http::Server server(loop.get_executor(), limits, answer);
    http::Address address = test::listen(server);
    test::run(loop, client(loop, address));
    test::run(loop, server.stop());
}

http::Limits one_second() {
    http::Limits limits;
    limits.request = 1s;
    return limits;
}

// One byte after the other, until the server has closed the connection.
asio::awaitable<void> drip(asio::io_context& loop, http::Address address, std::string begin) {
    HttpClient client(loop);
    co_await client.send(address, begin);
    asio::steady_timer timer(loop);
    boost::system::error_code ec;
    for (std::string byte = "x"; !ec;) {
        co_await asio::async_write(client.socket, asio::buffer(byte),
                                   asio::redirect_error(asio::use_awaitable, ec));
        timer.expires_after(20ms);
        co_await timer.async_wait(asio::use_awaitable);
    }
    std::string received = co_await client.read_all();
    CHECK(received.empty());
}

asio::awaitable<void> dripping_header(asio::io_context& loop, http::Address address) {
    return drip(loop, address, "GET / HTTP/1.1\r\nX: ");
}

asio::awaitable<void> dripping_body(asio::io_context& loop, http::Address address) {
    return drip(loop, address, "POST / HTTP/1.1\r\nContent-Length: 10000\r\n\r\n");
}

asio::awaitable<void> pipelining(asio::io_context& loop, http::Address address) {
    HttpClient client(loop);
    std::string requests;
    for (int i = 0; i < 100; ++i)
        requests += get("/" + std::to_string(i));
    co_await client.send(address, requests + get("/last", "1.0"));
    std::string received = co_await client.read_all();
    std::size_t at = 0;
    for (int i = 0; i < 100; ++i) {
        at = received.find("\r\n\r\n/" + std::to_string(i) + "\n", at);
        REQUIRE(at != std::string::npos);
    }
    CHECK(received.ends_with("\r\n\r\n/last\n"));
}

asio::awaitable<void> constant_bodies(asio::io_context& loop, http::Address address) {
    HttpClient client(loop);
    std::string requests = get("/constant") + "HEAD /constant HTTP/1.1\r\n\r\n" + get("/constant", "1.0");
    co_await client.send(address, requests);
    std::string received = co_await client.read_all();
    std::string length = "\r\nContent-Length: " + std::to_string(constant.size()) + "\r\n";
    std::size_t lengths = 0;
    for (std::size_t at = received.find(length); at != std::string::npos; at = received.find(length, at + 1))
        ++lengths;
    CHECK(lengths == 3);
    CHECK(std::ranges::count(received, 'c') > 2 * std::ptrdiff_t{1 << 20});
    CHECK(received.size() < constant.size() * 2 + 2000);
    CHECK(received.ends_with("\r\n\r\n" + constant));
}

}  // namespace

TEST_CASE("a request that is not complete in time ends the connection, though something comes all the time") {
    with_server(dripping_header, one_second());
    with_server(dripping_body, one_second());
}

TEST_CASE("requests that are sent at once are answered in their order") {
    with_server(pipelining);
}

TEST_CASE("a constant body is sent as often as it is wanted") {
    with_server(constant_bodies);
}
