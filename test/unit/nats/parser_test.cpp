#include "nats/parser.hpp"

#include "nats/error.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using nats::Parser;

namespace {

std::string text_of(const nats::Operation& operation) {
    if (const auto* info = std::get_if<nats::Info>(&operation)) return "INFO " + info->json;
    if (const auto* complaint = std::get_if<nats::Complaint>(&operation)) return "-ERR " + complaint->text;
    if (std::holds_alternative<nats::Ping>(operation)) return "PING";
    if (std::holds_alternative<nats::Pong>(operation)) return "PONG";
    if (std::holds_alternative<nats::Ok>(operation)) return "+OK";
    const auto& message = std::get<nats::Message>(operation);
    return message.subject + "|" + std::to_string(message.subscription) + "|" + message.reply + "|" +
           message.headers + "|" + message.payload;
}

using Texts = std::vector<std::string>;

// Takes what is there; the last text is "error: …" if there is an error.
bool take_all(Parser& parser, Texts& texts) {
    while (true) {
        auto operation = parser.next();
        if (operation.has_error()) {
            CHECK(operation.error().code == nats::Errc::protocol);
            texts.push_back("error: " + operation.error().message);
            return false;
        }
        if (!*operation) return true;
        texts.push_back(text_of(**operation));
    }
}

constexpr Parser::Limits small{80, 20};

// In pieces that end at the given places.
Texts parse(std::string_view bytes, std::vector<std::size_t> cuts = {}) {
    Parser parser(small);
    Texts texts;
    cuts.push_back(bytes.size());
    std::size_t begin = 0;
    for (std::size_t end : cuts) {
        parser.append(bytes.substr(begin, end - begin));
        begin = end;
        if (!take_all(parser, texts)) return texts;
    }
    CHECK(parser.is_empty());
    return texts;
}

std::string error_of(std::string_view bytes) {
    Texts texts = parse(bytes);
    REQUIRE(texts.size() == 1);
    REQUIRE(texts[0].starts_with("error: "));
    return texts[0].substr(7);
}

const std::string everything =
    "INFO {\"server_id\":\"x\"}\r\n"
    "PING\r\n"
    "MSG a.b 9 5\r\nhello\r\n"
    "MSG a 18446744073709551615 r.1 0\r\n\r\n"
    "+OK\r\n"
    "HMSG _INBOX.1 2 16 16\r\nNATS/1.0 503\r\n\r\n\r\n"
    "HMSG a 3 reply 12 18\r\nNATS/1.0\r\n\r\n\r\n\r\nab\r\n"
    "pong\r\n"
    "msg\ta  4\tr 2 \r\n\r\n\r\n"
    "-ERR 'Stale Connection'\r\n";
const Texts all_of_it = {"INFO {\"server_id\":\"x\"}",
                         "PING",
                         "a.b|9|||hello",
                         "a|18446744073709551615|r.1||",
                         "+OK",
                         "_INBOX.1|2||NATS/1.0 503\r\n\r\n|",
                         "a|3|reply|NATS/1.0\r\n\r\n|\r\n\r\nab",
                         "PONG",
                         "a|4|r||\r\n",
                         "-ERR Stale Connection"};

}  // namespace

TEST_CASE("what a server sends is taken apart, wherever it is cut") {
    CHECK(parse(everything) == all_of_it);
    for (std::size_t first = 0; first <= everything.size(); ++first)
        for (std::size_t second = first; second <= everything.size(); ++second)
            if (parse(everything, {first, second}) != all_of_it) FAIL(first << " " << second);
}

TEST_CASE("what is not of the protocol is an error, wherever it is cut") {
    for (std::string wrong :
         {"GET / HTTP/1.1\r\n", "PING now\r\n", "PONG\n", "\r\n", "\n", "MSG a 1\r\n", "MSG a x 1\r\n",
          "MSG a -1 1\r\n", "MSG a 1 99999999999999999999\r\n", "MSG a 1 r s 1\r\n", "MSG a 1 1x\r\n",
          "HMSG a 1 3\r\n", "HMSG a 1 4 3\r\nabc\r\n", "HMSG a 1 r s 1 1\r\n", "MSG a 1 1\r\nab\r\n",
          "MSG a 1 21\r\n", "MSG a 1 1\r\nabcd"}) {
        CAPTURE(wrong);
        Texts whole = parse(wrong);
        REQUIRE(whole.size() == 1);
        CHECK(whole[0].starts_with("error: "));
        for (std::size_t cut = 0; cut <= wrong.size(); ++cut)
            CHECK(parse(wrong, {cut}) == whole);
    }
}

TEST_CASE("an error of the protocol says what was sent, without control characters") {
    CHECK(error_of("HTTP/1.1 400 Bad \x1b[2J\r\n") ==
          "the server sends what is not NATS: HTTP/1.1 400 Bad ?[2J");
    CHECK(error_of("MSG a 1 21\r\n") == "the server sends a message of more than 20 bytes");
    CHECK(error_of("MSG a 1 1\r\nxyz") == "the server sends a message that does not end where it must");
}

TEST_CASE("a line without an end is refused when it is longer than the limit, and is not kept") {
    Parser parser(small);
    for (int i = 0; i < 80; ++i) {
        parser.append("x");
        REQUIRE(parser.next().has_value());
    }
    parser.append("x");
    auto refused = parser.next();
    REQUIRE(refused.has_error());
    CHECK(refused.error().message == "the server sends a line of more than 80 bytes");
}

TEST_CASE("a longer limit applies to the next message") {
    Parser parser(small);
    parser.set_longest_message(100);
    parser.append("MSG a 1 100\r\n" + std::string(100, 'x') + "\r\n");
    Texts texts;
    CHECK(take_all(parser, texts));
    CHECK(texts == Texts{"a|1|||" + std::string(100, 'x')});
}

TEST_CASE("the buffer keeps no more than what was not taken") {
    Parser parser;
    std::string message = "MSG a 1 1000\r\n" + std::string(1000, 'x') + "\r\n";
    Texts texts;
    for (int i = 0; i < 1000; ++i) {
        parser.append(message);
        REQUIRE(take_all(parser, texts));
        REQUIRE(parser.buffered() == 0);
    }
    CHECK(texts.size() == 1000);
}
