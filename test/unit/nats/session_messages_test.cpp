#include "nats/headers.hpp"
#include "session_helper.hpp"

using Catch::Matchers::Contains;
using namespace test;
using nats::Errc;

namespace {

const nats::Reply& reply(const Harness& harness, std::size_t index = 0) {
    return std::get<nats::Reply>(harness.taken.at(index));
}

Errc error_of(const nats::Reply& reply) {
    REQUIRE(reply.message.has_error());
    return static_cast<Errc>(reply.message.error().code.value());
}

}  // namespace

TEST_CASE("a request gets its reply, and no other") {
    Harness harness;
    harness.get_ready();
    auto first = harness.session.request({"a", "x"}, harness.now + 5s);
    auto second = harness.session.request({"b", "y"}, harness.now + 5s);
    CHECK(harness.output() == "PUB a _INBOX.T.1 1\r\nx\r\nPUB b _INBOX.T.2 1\r\ny\r\n");
    CHECK(harness.hear("MSG _INBOX.T.2 1 2\r\nok\r\n") == Texts{"reply 2: ok"});
    CHECK(harness.hear("MSG _INBOX.T.2 1 2\r\nok\r\n").empty());
    CHECK(harness
              .hear("MSG _INBOX.T.9 1 0\r\n\r\nMSG _INBOX.T.1x 1 0\r\n\r\nMSG _INBOX.T 1 0\r\n\r\nMSG x 1 "
                    "0\r\n\r\n")
              .empty());
    CHECK(harness.session.open_requests() == 1);
    harness.session.withdraw(*first);
    CHECK(harness.hear("MSG _INBOX.T.1 1 2\r\nok\r\n").empty());
    CHECK(harness.session.open_requests() == 0);
    CHECK(second->value == 2);
}

TEST_CASE("a request that nobody would answer fails at once, and one that nobody answers at its deadline") {
    Harness harness;
    harness.get_ready();
    (void)harness.session.request({"a"}, harness.now + 2s);
    (void)harness.session.request({"b"}, harness.now + 1s);
    CHECK(harness.hear("HMSG _INBOX.T.1 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n") ==
          Texts{"reply 1: nobody is there who would answer at a"});
    CHECK(error_of(reply(harness)) == Errc::no_responders);
    CHECK(harness.wait() == Texts{"reply 2: nobody has answered in time at b"});
    CHECK(error_of(reply(harness)) == Errc::timed_out);
    CHECK(harness.now == nats::Time(1001s));
}

TEST_CASE("another status is a reply") {
    Harness harness;
    harness.get_ready();
    (void)harness.session.request({"a"}, harness.now + 2s);
    harness.hear("HMSG _INBOX.T.1 1 34 34\r\nNATS/1.0 404 Message Not Found\r\n\r\n\r\n");
    CHECK(nats::status(reply(harness).message->headers)->code == 404);
}

TEST_CASE("a request that was sent fails with its connection, and one that was not waits for the next") {
    Harness harness;
    harness.get_ready();
    (void)harness.session.request({"sent"}, harness.now + 60s);
    Texts texts = harness.lose();
    CHECK(texts == Texts{"disconnect", "lost: the connection to h1:4222 is lost: end of stream",
                         "reply 1: the connection to h1:4222 is lost: end of stream"});
    CHECK(error_of(reply(harness, 2)) == Errc::disconnected);
    (void)harness.session.request({"kept"}, harness.now + 60s);
    CHECK(harness.session.publish({"also", "p"}).has_value());
    CHECK(harness.output().empty());
    harness.wait();
    harness.connect();
    CHECK_THAT(harness.first_output, Catch::EndsWith("PUB kept _INBOX.T.2 0\r\n\r\nPUB also 1\r\np\r\n"));
    CHECK(harness.session.waiting_bytes() == 0);
    CHECK(harness.hear("MSG _INBOX.T.2 1 2\r\nok\r\n") == Texts{"reply 2: ok"});
}

TEST_CASE("a request whose time is up before there is a connection is not sent later") {
    Harness harness;
    harness.session.start(harness.now);
    harness.actions();
    (void)harness.session.request({"a"}, harness.now + 1s);
    CHECK(harness.session.waiting_bytes() > 0);
    CHECK(harness.wait() ==
          Texts{"reply 1: nobody has answered in time at a, because there is no connection"});
    CHECK(harness.session.waiting_bytes() == 0);
    harness.connect();
    CHECK_THAT(harness.first_output, Catch::EndsWith("SUB _INBOX.T.* 1\r\n"));
}

TEST_CASE("what waits to be sent has a limit, with a connection and without") {
    Harness harness;
    bool is_connected = GENERATE(true, false);
    if (is_connected) harness.get_ready();
    std::string payload(400, 'x');
    CHECK(harness.session.publish({"a", payload}).has_value());
    CHECK(harness.session.publish({"a", payload}).has_value());
    auto refused = harness.session.publish({"a", payload});
    CHECK(refused.error().code == Errc::buffer_full);
    CHECK(harness.session.request({"a", payload}, harness.now + 1s).error().code == Errc::buffer_full);
    CHECK(harness.session.open_requests() == 0);
    // What keeps the connection is never refused.
    if (is_connected) {
        harness.hear("PING\r\n");
        CHECK_THAT(harness.output(), Catch::EndsWith("PONG\r\n"));
        CHECK(harness.session.publish({"a", payload}).has_value());
    }
}

TEST_CASE("what is larger than the server takes is refused") {
    Harness harness;
    harness.get_ready();
    std::string payload(501, 'x');
    auto refused = harness.session.publish({"a", payload});
    CHECK(refused.error().code == Errc::too_large);
    CHECK(refused.error().message == "a message to a has 501 bytes; the server takes at most 500");
    CHECK(harness.session.request({"a", payload}, harness.now).error().code == Errc::too_large);
}

TEST_CASE("what a server has stored when it took larger messages is received") {
    Harness harness;
    harness.get_ready();
    auto subscribed = harness.session.subscribe("a");
    REQUIRE(subscribed.has_value());
    std::string payload(std::size_t{8} << 20, 'x');
    Texts texts = harness.hear("MSG a " + std::to_string(*subscribed) + " " + std::to_string(payload.size()) +
                               "\r\n" + payload + "\r\n");
    REQUIRE(texts.size() == 1);
    CHECK(texts[0].size() > payload.size());
}

TEST_CASE("what the next server does not take is refused when it is connected") {
    Harness harness;
    std::string payload(501, 'x');
    CHECK(harness.session.publish({"a", payload}).has_value());
    (void)harness.session.request({"b", std::string_view(payload).substr(0, 10)}, harness.now + 9s);
    harness.session.start(harness.now);
    harness.session.connected({}, harness.now);
    harness.actions();
    Texts texts = harness.hear(plain_info + "PONG\r\n");
    CHECK(texts ==
          Texts{"ready h1:4222", "refused: a message has 501 bytes; the server h1:4222 takes at most 500"});
    CHECK_THAT(harness.output(), !Contains("PUB a") && Contains("PUB b"));
}

TEST_CASE("a subject that would end the line is refused") {
    Harness harness;
    harness.get_ready();
    CHECK(harness.session.publish({"a b"}).has_error());
    CHECK(harness.session.publish({"a", "", "", "r\r\nPUB"}).has_error());
    CHECK(harness.session.publish({"a.*"}).has_error());
    CHECK(harness.session.request({""}, harness.now).has_error());
    CHECK(harness.session.subscribe("a b").has_error());
    CHECK(harness.session.subscribe("a", "q q").has_error());
    CHECK(harness.output().empty());
}

TEST_CASE("a permission that is missing is reported to the request that needs it") {
    Harness harness;
    harness.get_ready();
    (void)harness.session.request({"a"}, harness.now + 5s);
    (void)harness.session.request({"b"}, harness.now + 5s);
    (void)harness.session.request({"b"}, harness.now + 5s);
    CHECK(harness.hear("-ERR 'Permissions Violation for Publish to \"b\"'\r\n") ==
          Texts{"reply 2: the server h1:4222 does not permit this user to publish to b"});
    CHECK(error_of(reply(harness)) == Errc::permission);
    CHECK(harness.hear("-ERR 'Permissions Violation for Publish with Reply of \"_INBOX.T.3\"'\r\n") ==
          Texts{"reply 3: the server h1:4222 does not permit this user to ask for replies to _INBOX.T.3"});
    CHECK(harness.hear("-ERR 'Permissions Violation for Publish to \"c\"'\r\n") ==
          Texts{"refused: the server h1:4222 does not permit this user to publish to c"});
    CHECK(harness.session.open_requests() == 1);
}

TEST_CASE("a permission that is missing is reported to the subscription that needs it") {
    Harness harness;
    auto id = harness.session.subscribe("s.>", "q");
    harness.get_ready();
    CHECK(harness.hear("-ERR 'Permissions Violation for Subscription to \"s.>\" using queue \"q\"'\r\n") ==
          Texts{"refuse 2: the server h1:4222 does not permit this user to subscribe to s.>"});
    CHECK(*id == 2);
    harness.session.unsubscribe(*id);
    CHECK(harness.hear("-ERR 'Permissions Violation for Subscription to \"s.>\"'\r\n")
              .at(0)
              .starts_with("refused: "));
}

TEST_CASE("without its inbox no request is made on the connection") {
    Harness harness;
    harness.get_ready();
    (void)harness.session.request({"a"}, harness.now + 5s);
    Texts texts = harness.hear("-ERR 'Permissions Violation for Subscription to \"_INBOX.T.*\"'\r\n");
    CHECK(texts.at(1) == "reply 1: the server h1:4222 does not permit this user to subscribe to _INBOX.T.*");
    CHECK(harness.session.request({"a"}, harness.now + 5s).error().code == Errc::permission);
    harness.lose();
    harness.wait();
    harness.connect();
    CHECK(harness.session.request({"a"}, harness.now + 5s).has_value());
}

TEST_CASE("a flush ends when the server has answered the ping behind what was published") {
    Harness harness;
    harness.get_ready();
    harness.pass(10s);
    auto flush = harness.session.flush(harness.now + 5s);
    CHECK(harness.output() == "PING\r\nPING\r\n");
    CHECK(harness.hear("PONG\r\n").empty());
    CHECK(harness.hear("PONG\r\n") == Texts{"reply " + std::to_string(flush.value) + ": "});
    CHECK(harness.hear("PONG\r\n").empty());
    (void)harness.session.flush(harness.now + 5s);
    CHECK(harness.lose().at(2).starts_with("reply 2: the connection"));
    (void)harness.session.publish({"a"});
    (void)harness.session.flush(harness.now + 50s);
    harness.wait();
    harness.connect();
    CHECK_THAT(harness.first_output, Catch::EndsWith("PUB a 0\r\n\r\nPING\r\n"));
    CHECK(harness.hear("PONG\r\n") == Texts{"reply 3: "});
}

TEST_CASE("inboxes differ from each other and from those of requests") {
    Harness harness;
    CHECK(harness.session.new_inbox() == "_INBOX.T.s.1");
    CHECK(harness.session.new_inbox() == "_INBOX.T.s.2");
}
