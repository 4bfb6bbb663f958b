#include "nats/commands.hpp"

#include "json/json.hpp"
#include "nats/error.hpp"
#include "nats/headers.hpp"
#include "nats/server_info.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>

TEST_CASE("subjects are words between dots, and patterns may have wildcards") {
    for (const char* subject : {"a", "a.b.c", "$JS.API.INFO", "_INBOX.x-1.2", "ä.b"}) {
        CHECK(nats::is_subject(subject));
        CHECK(nats::is_subject_pattern(subject));
    }
    for (const char* pattern : {"*", ">", "a.*.b", "a.>", "*.*"}) {
        CHECK(!nats::is_subject(pattern));
        CHECK(nats::is_subject_pattern(pattern));
    }
    for (const char* wrong :
         {"", ".", "a.", ".a", "a..b", "a b", "a\tb", "a\r\nPUB b 0", "a.>.b", "a*", ">a"}) {
        CAPTURE(wrong);
        CHECK(!nats::is_subject(wrong));
        CHECK(!nats::is_subject_pattern(wrong));
    }
    CHECK(nats::is_subject(std::string(1024, 'a')));
    CHECK(!nats::is_subject(std::string(1025, 'a')));
}

TEST_CASE("messages are sent with and without headers and reply") {
    auto sent = [](const nats::Outgoing& message) {
        std::string out;
        nats::append_publish(out, message);
        return out;
    };
    CHECK(sent({"a.b", "hello"}) == "PUB a.b 5\r\nhello\r\n");
    CHECK(sent({"a", "", "", "r.1"}) == "PUB a r.1 0\r\n\r\n");
    std::string headers = nats::Headers().add("Nats-Msg-Id", "7").add("B", "").block();
    CHECK(headers == "NATS/1.0\r\nNats-Msg-Id: 7\r\nB: \r\n\r\n");
    CHECK(sent({"a", "xy", headers}) == "HPUB a 33 35\r\n" + headers + "xy\r\n");
    CHECK(sent({"a", "xy", headers, "r"}) == "HPUB a r 33 35\r\n" + headers + "xy\r\n");
}

TEST_CASE("subscriptions are made and ended") {
    std::string out;
    nats::append_subscribe(out, "a.>", "", 7);
    nats::append_subscribe(out, "b", "workers", 8);
    nats::append_unsubscribe(out, 7);
    CHECK(out == "SUB a.> 7\r\nSUB b workers 8\r\nUNSUB 7\r\n");
}

TEST_CASE("a client introduces itself in one line of JSON") {
    nats::Introduction introduction{"troupe \"h1\"", "1.0", true, {"u\n", "p\\", "", "", ""}};
    std::string line = nats::connect_command(introduction);
    REQUIRE(line.starts_with("CONNECT {"));
    REQUIRE(line.find('\n') == line.size() - 1);
    auto value = json::checked(std::string_view(line).substr(8));
    REQUIRE(value.has_value());
    CHECK(value->find("name")->string() == "troupe \"h1\"");
    CHECK(value->find("user")->string() == "u\n");
    CHECK(value->find("pass")->string() == "p\\");
    CHECK(value->find("tls_required")->boolean());
    CHECK(value->find("no_responders")->boolean());
    CHECK(!value->find("jwt"));
}

TEST_CASE("headers are found by their names") {
    std::string_view block =
        "NATS/1.0\r\nNats-Msg-Id:  a b \r\nnats-msg-id: c\r\nwithout colon\r\nX:y\r\n\r\n";
    CHECK(nats::header(block, "Nats-Msg-Id") == "a b");
    CHECK(nats::header(block, "nats-msg-id") == "c");
    CHECK(nats::header(block, "X") == "y");
    CHECK(!nats::header(block, "without"));
    CHECK(!nats::header("", "X"));
    CHECK(!nats::status(block));
}

TEST_CASE("a status is read if there is one") {
    auto status = nats::status("NATS/1.0 404 No Messages\r\n\r\n");
    REQUIRE(status);
    CHECK(status->code == 404);
    CHECK(status->description == "No Messages");
    CHECK(nats::status("NATS/1.0 503\r\nA: b\r\n\r\n")->code == 503);
    for (const char* none : {"", "NATS/1.0", "NATS/1.0 50", "NATS/1.0 x03", "HTTP/1.1 200 OK\r\n"})
        CHECK(!nats::status(none));
}

TEST_CASE("a header that would end its line is a bug of the caller") {
    CHECK_THROWS_AS(nats::Headers().add("A", "b\r\nC: d"), std::invalid_argument);
    CHECK_THROWS_AS(nats::Headers().add("A", "b\nC: d"), std::invalid_argument);
    CHECK_THROWS_AS(nats::Headers().add("A:", "b"), std::invalid_argument);
    CHECK_THROWS_AS(nats::Headers().add("", "b"), std::invalid_argument);
    CHECK(nats::Headers().block().empty());
}

TEST_CASE("what a server says of itself is read, and what is unknown passed over") {
    auto info = nats::parse_server_info(
        R"({"server_id":"ID","server_name":"n1","version":"2.9.10","headers":true,"max_payload":2048,"jetstream":true,)"
        R"("auth_required":true,"tls_available":true,"nonce":"abc","connect_urls":["h1:4222","[::1]:4222"],"ldm":true,)"
        R"("proto":1,"cluster":"c","ip":null})");
    REQUIRE(info.has_value());
    CHECK(info->name == "n1");
    CHECK(info->version == "2.9.10");
    CHECK(info->max_payload == 2048);
    CHECK(info->has_headers);
    CHECK(info->has_jetstream);
    CHECK(info->needs_login);
    CHECK(info->offers_tls);
    CHECK(!info->needs_tls);
    CHECK(info->is_lame_duck);
    CHECK(info->nonce == "abc");
    CHECK(info->cluster == "c");
    CHECK(info->addresses == std::vector<std::string>{"h1:4222", "[::1]:4222"});
    CHECK(nats::parse_server_info(R"({"server_id":"ID"})")->name == "ID");
    CHECK(nats::parse_server_info(R"({"max_payload":99999999999})")->max_payload == 64 << 20);
}

TEST_CASE("an INFO of another form is an error of the protocol") {
    for (const char* wrong : {"", "[]", "{", R"({"max_payload":"1"})", R"({"max_payload":0})", R"({"ldm":1})",
                              R"({"connect_urls":[1]})", R"({"nonce":{}})"}) {
        CAPTURE(wrong);
        auto info = nats::parse_server_info(wrong);
        REQUIRE(info.has_error());
        CHECK(info.error().code == nats::Errc::protocol);
    }
}
