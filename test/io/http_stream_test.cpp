#include "http_helper.hpp"

#include <boost/asio/steady_timer.hpp>

#include <array>
#include <cstdint>
#include <list>
#include <stdexcept>

using namespace std::chrono_literals;
using test::get;
using test::HttpClient;
namespace asio = boost::asio;

namespace {

// A server whose streams write "1", "2", … as often as they are allowed to.
class Streams {
  public:
    explicit Streams(asio::io_context& loop, http::Limits limits = {})
        : changed_(loop, asio::steady_timer::time_point::max()),
          server(loop.get_executor(), limits,
                 [this](const http::Request& request) { return respond(request); }),
          address(test::listen(server)) {}

    void allow(std::size_t pieces) {
        allowed_ = pieces;
        changed_.cancel();
    }

    asio::awaitable<void> until_streams(int count) {
        while (running != count)
            co_await wait(1ms);
    }

    asio::awaitable<void> wait(std::chrono::milliseconds time) {
        asio::steady_timer timer(co_await asio::this_coro::executor, time);
        co_await timer.async_wait(asio::use_awaitable);
    }

  private:
    asio::steady_timer changed_;
    std::size_t allowed_ = 0;

  public:
    int running = 0;
    std::size_t written = 0;
    std::string piece;  // instead of the number
    http::Server server;
    http::Address address;

  private:
    asio::awaitable<http::Response> respond(const http::Request& request) {
        http::Response response = http::text_response(200, "plain");
        if (request.path() == "/stream")
            response.stream = [this](http::ResponseStream& stream) { return count(stream); };
        if (request.path() == "/three")
            response.stream = [this](http::ResponseStream& stream) { return three(stream); };
        if (request.path() == "/failing")
            response.stream = [this](http::ResponseStream& stream) { return fail(stream); };
        co_return response;
    }

    asio::awaitable<void> count(http::ResponseStream& stream) {
        struct Running {
            int& count;
            ~Running() { --count; }
        } entered{++running};
        for (std::size_t own = 0;; ++own) {
            while (own >= allowed_) {
                boost::system::error_code woken;
                co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
            }
            std::string text = piece.empty() ? std::to_string(own + 1) : piece;
            co_await stream.write(text);
            ++written;
        }
    }

    asio::awaitable<void> three(http::ResponseStream& stream) {
        for (const char* text : {"one\n", "", "two, which is longer\n", "3"})
            co_await stream.write(text);
    }

    asio::awaitable<void> fail(http::ResponseStream& stream) {
        co_await stream.write("half");
        throw std::logic_error("a bug");
    }
};

template<class Body>
void with_streams(Body body, http::Limits limits = {}) {
    asio::io_context loop(1);
    Streams streams(loop, limits);
    test::run(loop, body(loop, streams));
    test::run(loop, streams.server.stop());
    CHECK(streams.running == 0);
}

asio::awaitable<void> whole_stream(asio::io_context& loop, Streams& streams) {
    HttpClient client(loop);
    co_await client.send(streams.address, get("/three"));
    std::string response = co_await client.read_all();
    CHECK(response.find("\r\nTransfer-Encoding: chunked\r\n") != std::string::npos);
    CHECK(response.find("\r\nConnection: close\r\n") != std::string::npos);
    CHECK(response.find("Content-Length") == std::string::npos);
    CHECK(test::body_of(response) == "4\r\none\n\r\n15\r\ntwo, which is longer\n\r\n1\r\n3\r\n0\r\n\r\n");
}

asio::awaitable<void> old_stream(asio::io_context& loop, Streams& streams) {
    HttpClient client(loop);
    co_await client.send(streams.address, get("/three", "1.0"));
    std::string response = co_await client.read_all();
    CHECK(response.find("Transfer-Encoding") == std::string::npos);
    CHECK(test::body_of(response) == "one\ntwo, which is longer\n3");
}

asio::awaitable<void> head_of_stream(asio::io_context& loop, Streams& streams) {
    HttpClient client(loop);
    co_await client.send(streams.address, "HEAD /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
    std::string response = co_await client.read_all();
    CHECK(response.starts_with("HTTP/1.1 200 "));
    CHECK(test::body_of(response).empty());
}

asio::awaitable<void> failing_stream(asio::io_context& loop, Streams& streams) {
    HttpClient client(loop);
    co_await client.send(streams.address, get("/failing"));
    std::string response = co_await client.read_all();
    CHECK(test::body_of(response) == "4\r\nhalf\r\n");
}

asio::awaitable<void> leaving_client(asio::io_context& loop, Streams& streams) {
    {
        HttpClient client(loop);
        co_await client.send(streams.address, get("/stream"));
        co_await client.read_until("\r\n\r\n");
        streams.allow(1);
        co_await client.read_until("1\r\n1\r\n");
        CHECK(streams.running == 1);
    }
    co_await streams.until_streams(0);
}

asio::awaitable<void> stopped_server(asio::io_context& loop, Streams& streams) {
    HttpClient client(loop);
    co_await client.send(streams.address, get("/stream"));
    streams.allow(1);
    co_await client.read_until("1\r\n1\r\n");
    co_await streams.server.stop();
    std::string response = co_await client.read_all();
    CHECK(test::body_of(response) == "1\r\n1\r\n");
}

// One client reads nothing, while another reads much more than the system keeps for the first one.
asio::awaitable<void> slow_reader(asio::io_context& loop, Streams& streams) {
    constexpr std::size_t most_kept = 12 << 20, much = 4 * most_kept;
    streams.piece = std::string(64 * 1024, 'x');
    streams.allow(SIZE_MAX);
    HttpClient slow(loop), quick(loop);
    co_await slow.send(streams.address, get("/stream"));
    co_await streams.until_streams(1);
    co_await quick.send(streams.address, get("/stream"));
    std::array<char, 256 * 1024> part;
    std::size_t read = 0;
    while (read < much)
        read += co_await quick.socket.async_read_some(asio::buffer(part), asio::use_awaitable);
    CHECK(streams.written * streams.piece.size() < read + 2 * most_kept);
    CHECK(streams.running == 2);
}

asio::awaitable<void> reader_of_nothing(asio::io_context& loop, Streams& streams) {
    streams.piece = std::string(64 * 1024, 'x');
    streams.allow(SIZE_MAX);
    HttpClient client(loop);
    co_await client.send(streams.address, get("/stream"));
    co_await streams.until_streams(1);
    co_await streams.until_streams(0);
}

// Each waits until the server has made room for it by closing one of the others.
asio::awaitable<void> crowd(asio::io_context& loop, Streams& streams) {
    HttpClient client(loop);
    co_await client.send(streams.address, get("/stream"));
    co_await streams.until_streams(1);
    std::list<HttpClient> idle;
    for (int i = 0; i < 30; ++i) {
        std::string nothing;
        co_await idle.emplace_back(loop).send(streams.address, nothing);
    }
    for (int i = 0; i < 20; ++i) {
        std::string received = co_await idle.front().read_all();
        CHECK(received.empty());
        idle.pop_front();
    }
    streams.allow(1);
    std::string response = co_await client.read_until("1\r\n1\r\n");
    CHECK(test::body_of(response) == "1\r\n1\r\n");
    HttpClient other(loop);
    co_await other.send(streams.address, get("/", "1.0"));
    std::string answer = co_await other.read_all();
    CHECK(test::body_of(answer) == "plain\n");
}

asio::awaitable<void> crowd_of_streams(asio::io_context& loop, Streams& streams) {
    std::list<HttpClient> clients;
    for (int i = 0; i < 5; ++i) {
        co_await clients.emplace_back(loop).send(streams.address, get("/stream"));
        co_await clients.back().read_until("\r\n\r\n");
    }
    std::string first = co_await clients.front().read_all();
    CHECK(test::body_of(first).empty());
    co_await streams.until_streams(4);
}

http::Limits four_connections() {
    http::Limits limits;
    limits.connections = 4;
    return limits;
}

}  // namespace

TEST_CASE("a stream's pieces are the chunks of one body") {
    with_streams(whole_stream);
}

TEST_CASE("a client of HTTP/1.0 gets a stream until the connection's end") {
    with_streams(old_stream);
}

TEST_CASE("HEAD of a stream gets the header only") {
    with_streams(head_of_stream);
}

TEST_CASE("a client sees that a stream has not ended as it should") {
    with_streams(failing_stream);
}

TEST_CASE("a stream is told that its client is gone while it waits for something else") {
    with_streams(leaving_client);
}

TEST_CASE("a server that stops ends its streams") {
    with_streams(stopped_server);
}

TEST_CASE("a slow reader of a stream slows only its own stream") {
    with_streams(slow_reader);
}

TEST_CASE("a client that reads nothing of a stream is disconnected") {
    http::Limits limits;
    limits.write = 1s;
    with_streams(reader_of_nothing, limits);
}

TEST_CASE("a crowd of idle connections ends no stream") {
    with_streams(crowd, four_connections());
}

TEST_CASE("of too many streams, the one that has been silent for longest ends") {
    with_streams(crowd_of_streams, four_connections());
}
