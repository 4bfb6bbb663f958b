#include "nats/complaint.hpp"
#include "nats/error.hpp"
#include "nats/server_list.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

using nats::ServerAddress;
using nats::ServerList;

namespace {

std::vector<ServerAddress> addresses(std::string_view list) {
    auto parsed = nats::parse_server_addresses(list);
    REQUIRE(parsed.has_value());
    return *parsed;
}

std::string parse_error(std::string_view list) {
    auto parsed = nats::parse_server_addresses(list);
    REQUIRE(parsed.has_error());
    return parsed.error().message;
}

std::set<std::string> round(ServerList& list) {
    std::set<std::string> tried;
    for (std::size_t i = 0; i < list.size(); ++i) {
        list.advance();
        tried.insert(nats::address_text(list.current()));
    }
    return tried;
}

}  // namespace

TEST_CASE("addresses of servers have a host, a port and perhaps TLS") {
    auto list = addresses("nats://h1,tls://h2:4333,h3:1,tls://[::1],nats://[fe80::1%eth0]:5");
    REQUIRE(list.size() == 5);
    CHECK(list[0] == ServerAddress{"h1", 4222, false, "h1"});
    CHECK(list[1] == ServerAddress{"h2", 4333, true, "h2"});
    CHECK(list[2] == ServerAddress{"h3", 1, false, "h3"});
    CHECK(list[3] == ServerAddress{"::1", 4222, true, "::1"});
    CHECK(nats::address_text(list[4]) == "[fe80::1%eth0]:5");
    CHECK(nats::address_text(list[1]) == "h2:4333");
    CHECK(addresses("h1,h1").size() == 1);
    CHECK(addresses("nats://h1, nats://h2 ").size() == 2);
}

TEST_CASE("an address that is not one is named") {
    for (const char* wrong :
         {"", "h1,", "nats://", "h:0", "h:65536", "h:x", "h:", "[::1", "[]", "h1/x", "h 1", "h:1:2"}) {
        CAPTURE(wrong);
        CHECK(parse_error(wrong).find("is not the address of a server") != std::string::npos);
    }
    CHECK(parse_error("http://h1") == "http://h1: the address of a server begins with nats:// or tls://");
    CHECK(parse_error("nats://me:secret@h1").find("secret") == std::string::npos);
    CHECK(parse_error("nats://me:secret@h1").find("h1: an address must not contain a user") == 0);
}

TEST_CASE("every server is tried once in each round, in the same order") {
    ServerList list(addresses("a,b,c"), 7);
    CHECK(round(list) == std::set<std::string>{"a:4222", "b:4222", "c:4222"});
    CHECK(round(list).size() == 3);
    std::set<std::string> first;
    for (std::uint32_t seed = 1; seed < 50; ++seed) {
        ServerList other(addresses("a,b,c"), seed);
        other.advance();
        first.insert(other.current().host);
    }
    CHECK(first.size() == 3);
}

TEST_CASE("delays grow from round to round, differ between clients, and begin anew after a success") {
    std::set<ServerList::Duration> last;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        ServerList list(addresses("a,b"), seed);
        for (int number = 0; number < 20; ++number) {
            auto most = std::min(ServerList::between_servers * (1 << number), ServerList::longest_delay);
            auto delay = list.advance();
            CHECK(delay <= most);
            if (number > 0) CHECK(delay >= most / 2);
            CHECK(list.advance() <= ServerList::between_servers);
            last.insert(delay);
        }
        list.lost_after(ServerList::success / 2);
        CHECK(list.advance() >= ServerList::longest_delay / 2);
        list.lost_after(ServerList::success);
        CHECK(list.advance() <= ServerList::between_servers);
    }
    CHECK(last.size() > 1000);
}

TEST_CASE("servers of the cluster are learned and forgotten, and those that were given stay") {
    ServerList list(addresses("tls://a"), 1);
    list.advance();
    list.learn({"a:4222", "b:4222", "10.0.0.1:4222", "nonsense:x", ""});
    CHECK(list.size() == 3);
    CHECK(list.current().host == "a");
    std::set<std::string> names;
    for (int i = 0; i < 3; ++i) {
        list.advance();
        CHECK(list.current().uses_tls);
        names.insert(list.current().host + " " + list.current().certificate_name);
    }
    CHECK(names == std::set<std::string>{"a a", "b b", "10.0.0.1 a"});
    list.learn({});
    CHECK(list.size() == 3);
    CHECK(list.current().host == "a");
    list.learn({"c:4222"});
    CHECK(round(list) == std::set<std::string>{"a:4222", "c:4222"});
}

TEST_CASE("what a server complains about is understood") {
    using nats::ComplaintKind;
    struct Row {
        const char* text;
        ComplaintKind kind;
        const char* subject;
    };
    for (Row row : {Row{"Authorization Violation", ComplaintKind::credentials, ""},
                    Row{"Authorization Timeout", ComplaintKind::credentials, ""},
                    Row{"User Authentication Expired", ComplaintKind::credentials, ""},
                    Row{"Account Authentication Expired", ComplaintKind::credentials, ""},
                    Row{"User Authentication Revoked", ComplaintKind::credentials, ""},
                    Row{"Permissions Violation for Publish to \"a.b\"", ComplaintKind::publication, "a.b"},
                    Row{"Permissions Violation for Publish with Reply of \"r\"", ComplaintKind::reply, "r"},
                    Row{"Permissions Violation for Subscription to \"a.>\" using queue \"q\"",
                        ComplaintKind::subscription, "a.>"},
                    Row{"Permissions Violation for Subscription to ", ComplaintKind::subscription, ""},
                    Row{"Stale Connection", ComplaintKind::ends_connection, ""},
                    Row{"Slow Consumer", ComplaintKind::ends_connection, ""},
                    Row{"Maximum Payload Violation", ComplaintKind::ends_connection, ""},
                    Row{"Invalid Subject", ComplaintKind::other, ""}, Row{"", ComplaintKind::other, ""}}) {
        CAPTURE(row.text);
        auto read = nats::read_complaint(row.text, "h1:4222", true);
        CHECK(read.kind == row.kind);
        CHECK(read.subject == row.subject);
        CHECK(read.error.message.find("h1:4222") != std::string::npos);
    }
}
