#include "nats/pull.hpp"

#include "nats/api_error.hpp"
#include "nats/error.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace nats;
using namespace std::chrono_literals;

namespace {

constexpr Time begin{1000s};

Message task(std::string headers = {}) {
    Message message;
    message.subject = "q.a";
    message.reply = "$JS.ACK.S.c.1.1.1.1.0";
    message.headers = std::move(headers);
    return message;
}

Message said(const std::string& status) {
    Message message;
    message.headers = "NATS/1.0 " + status + "\r\n\r\n";
    return message;
}

}  // namespace

TEST_CASE("a pull is over when it has got its batch") {
    Pull pull({2, 30s, 5s}, begin);
    CHECK(pull.received(task(), begin));
    CHECK(!pull.is_over());
    CHECK(pull.received(task("NATS/1.0\r\nA: b\r\n\r\n"), begin));
    REQUIRE(pull.is_over());
    CHECK(pull.result().has_value());
}

TEST_CASE("a message of the stream is one, whatever status somebody has written into it") {
    Pull pull({2, 30s, 5s}, begin);
    CHECK(pull.received(task("NATS/1.0 409 Consumer Deleted\r\n\r\n"), begin));
    CHECK(!pull.is_over());
}

TEST_CASE("a pull whose time is up is over without an error") {
    for (const char* status : {"404 No Messages", "408 Request Timeout"}) {
        Pull pull({2, 30s, 5s}, begin);
        CHECK(!pull.received(said(status), begin));
        REQUIRE(pull.is_over());
        CHECK(pull.result().has_value());
    }
}

TEST_CASE("a pull that the server ends says why") {
    struct Row {
        const char* status;
        boost::system::error_code code;
    };
    for (const Row& row : {Row{"503", make_error_code(Errc::no_responders)},
                           Row{"409 Consumer Deleted", make_error_code(ApiErrc::consumer_not_found)},
                           Row{"409 Exceeded MaxWaiting", make_error_code(Errc::refused)},
                           Row{"400 Bad Request", make_error_code(Errc::refused)}}) {
        Pull pull({2, 30s, 5s}, begin);
        CHECK(!pull.received(said(row.status), begin));
        REQUIRE(pull.is_over());
        CHECK(pull.result().error().code == row.code);
    }
}

TEST_CASE(
    "a pull of which the server knows nothing any more is over after two heartbeats that did not come") {
    Pull pull({2, 30s, 5s}, begin);
    CHECK(pull.next_deadline() == begin + 10s);
    CHECK(!pull.received(said("100 Idle Heartbeat"), begin + 7s));
    CHECK(pull.next_deadline() == begin + 17s);
    pull.time_passed(begin + 16s);
    CHECK(!pull.is_over());
    pull.time_passed(begin + 17s);
    REQUIRE(pull.is_over());
    CHECK(pull.result().error().code == Errc::timed_out);
}

TEST_CASE("a pull without heartbeats is over some time after its end") {
    Pull pull({2, 30s}, begin);
    CHECK(pull.next_deadline() == begin + 35s);
    pull.time_passed(begin + 35s);
    CHECK(pull.result().error().code == Errc::timed_out);
    Pull at_once({1}, begin);
    CHECK(at_once.next_deadline() == begin + 5s);
}

TEST_CASE("a pull ends with its connection") {
    Pull pull({2, 30s}, begin);
    pull.interrupted(error(Errc::disconnected, "lost"));
    CHECK(pull.result().error().code == Errc::disconnected);
}
