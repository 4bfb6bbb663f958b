#include "http/address.hpp"

#include <catch2/catch.hpp>

using http::address_text;
using http::is_own_host;
using http::parse_address;

TEST_CASE("an address to listen on is an IP address and a port") {
    for (const char* text : {"127.0.0.1:7420", "0.0.0.0:0", "[::1]:65535", "[::]:80"}) {
        auto address = parse_address(text);
        REQUIRE(address.has_value());
        CHECK(address_text(*address) == text);
    }
    CHECK(address_text(*parse_address("localhost:1")) == "127.0.0.1:1");
}

TEST_CASE("what is no address is refused with an example of one") {
    for (const char* text : {"", ":", "7420", ":7420", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                             "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:1 ", " 127.0.0.1:1", "::1:7420",
                             "[::1]", "[::1:7420", "[]:1", "example.org:80", "127.1:80", "[127.0.0.1]:80"}) {
        INFO(text);
        auto address = parse_address(text);
        REQUIRE(address.has_error());
        CHECK(address.error().message.find("for example 127.0.0.1:7420") != std::string::npos);
    }
}

TEST_CASE("only a host that no stranger's name can resolve to is this machine's own") {
    for (const char* host : {"", "localhost", "localhost:7420", "127.0.0.1", "127.0.0.1:7420", "[::1]",
                             "[::1]:7420", "192.168.1.7:80"})
        CHECK(is_own_host(host));
    for (const char* host : {"evil.example", "evil.example:7420", "localhost.evil.example",
                             "127.0.0.1.evil.example", "127.0.0.1:7420.evil.example", "localhost:x",
                             "127.0.0.1:99999", " localhost", "::1", ":", "[evil]", "LOCALHOST."}) {
        INFO(host);
        CHECK_FALSE(is_own_host(host));
    }
}

TEST_CASE("the host of a field Host is a name or an address, without the port") {
    CHECK(http::parse_host("box.example:80")->name == "box.example");
    CHECK_FALSE(http::parse_host("box.example:80")->ip);
    CHECK(http::parse_host("[::1]:80")->ip->is_loopback());
    CHECK(http::parse_host("localhost")->ip->is_loopback());
    for (const char* field : {"", ":", ":80", "a:b", "[a]", "[::1", "a:1:2", "box.example:"})
        CHECK_FALSE(http::parse_host(field));
}
