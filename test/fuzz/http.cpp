// An HTTP server's side of a connection: whatever a client sends, in whatever pieces, it gets complete
// responses, the handler gets only requests within the limits, and the connection ends. A stream is the last
// response, and complete up to where the server has noticed that its client is gone.
#include "fuzz.hpp"
#include "http/byte_stream.hpp"
#include "http/session.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/_experimental/test/stream.hpp>

#include <string>
#include <vector>

namespace {

using fuzz::must;
namespace asio = boost::asio;
namespace test = boost::beast::test;

// There is no time in it: the client's end of input ends the connection.
struct MemoryStream : test::stream {
    explicit MemoryStream(asio::io_context& loop) : test::stream(loop) {}
    void expires_after(std::chrono::seconds) {}
    void expires_never() {}
};

struct Conversation {
    std::vector<std::string> requests;
    std::string responses;
};

// No input is longer than a header may be: near that limit, it depends on the pieces what is refused.
http::Limits limits() {
    http::Limits limits;
    limits.body_bytes = 64;
    return limits;
}

asio::awaitable<void> write_three(http::ResponseStream& stream) {
    for (const char* piece : {"one", "", "and two"}) {
        std::string text = piece;
        co_await stream.write(text);
    }
}

constexpr std::string_view chunked_body = "3\r\none\r\n7\r\nand two\r\n0\r\n\r\n";
constexpr std::string_view plain_body = "oneand two";

http::Response response_to(const http::Request& request) {
    http::Response response = http::text_response(200, std::string(request.path()));
    if (request.path().starts_with("/stream")) response.stream = write_three;
    return response;
}

template<class Send>
Conversation converse(Send send) {
    Conversation conversation;
    asio::io_context loop;
    MemoryStream server(loop);
    test::stream client(loop);
    server.connect(client);
    http::Handler handler = [&](const http::Request& request) -> asio::awaitable<http::Response> {
        must(request.body.size() <= limits().body_bytes, "a body is within its limit");
        conversation.requests.push_back(request.method + " " + request.target + " " + request.body);
        co_return response_to(request);
    };
    http::Limits used = limits();
    http::ByteStreamOf<MemoryStream> bytes(server);
    http::Session session(bytes, used, handler, [](http::Activity) {});
    bool has_ended = false;
    auto serve = [&]() -> asio::awaitable<void> {
        co_await session.run();
        server.close();
        has_ended = true;
    };
    asio::co_spawn(loop, serve(), asio::detached);
    send(client, loop);
    client.close();
    loop.restart();
    loop.run();
    must(has_ended, "a connection ends when its client has ended it");
    conversation.responses = client.str();
    return conversation;
}

// The date differs.
std::string without_dates(std::string text) {
    constexpr std::string_view field = "\r\nDate: ";
    for (std::size_t at = text.find(field); at != std::string::npos; at = text.find(field))
        text.erase(at, text.find("\r\n", at + 2) - at);
    return text;
}

void check_stream(std::string_view header, std::string_view body, bool is_of_head) {
    bool is_chunked = header.find("\r\nTransfer-Encoding: chunked\r\n") != std::string_view::npos;
    must(header.find("\r\nConnection: keep-alive") == std::string_view::npos, "a stream ends its connection");
    must(!is_of_head || body.empty(), "HEAD gets no body");
    must((is_chunked ? chunked_body : plain_body).starts_with(body), "a stream is as it was written");
}

// Each is complete, with the length that it announces, unless it answers HEAD.
std::vector<std::string> split(std::string_view rest, const std::vector<std::string>& requests) {
    std::vector<std::string> responses;
    while (!rest.empty()) {
        must(rest.starts_with("HTTP/1."), "a response begins with its version");
        std::size_t end = rest.find("\r\n\r\n");
        must(end != std::string_view::npos, "a response's header is complete");
        std::string_view header = rest.substr(0, end + 2);
        std::size_t at = header.find("\r\nContent-Length: ");
        bool is_of_head =
            responses.size() < requests.size() && requests[responses.size()].starts_with("HEAD ");
        if (at == std::string_view::npos) {
            must(responses.size() + 1 == requests.size(), "a stream is the last response");
            check_stream(header, rest.substr(end + 4), is_of_head);
            responses.emplace_back(header);
            break;
        }
        std::size_t length = is_of_head ? 0 : std::stoul(std::string(header.substr(at + 18)));
        must(rest.size() - end - 4 >= length, "a response's body is complete");
        responses.emplace_back(rest.substr(0, end + 4 + length));
        rest.remove_prefix(end + 4 + length);
    }
    return responses;
}

// One for each request, and perhaps one for a mistake after them: a client that ends in the midst of a header
// is told of a mistake in it only if the server has seen that before the end.
std::vector<std::string> responses_of(const Conversation& conversation) {
    auto responses = split(without_dates(conversation.responses), conversation.requests);
    std::size_t requests = conversation.requests.size();
    must(responses.size() == requests || responses.size() == requests + 1, "each request has a response");
    responses.resize(requests);
    return responses;
}

}  // namespace

void fuzz::target(std::string_view input) {
    Conversation whole =
        converse([&](test::stream& client, asio::io_context&) { client.write_some(asio::buffer(input)); });
    Conversation in_pieces = converse([&](test::stream& client, asio::io_context& loop) {
        for (fuzz::Pieces pieces(input); !pieces.done();) {
            boost::system::error_code closed;
            client.write_some(asio::buffer(pieces.next()), closed);
            loop.restart();
            loop.poll();
        }
    });
    must(whole.requests == in_pieces.requests, "pieces make no difference to the requests");
    must(responses_of(whole) == responses_of(in_pieces), "pieces make no difference to the responses");
}
