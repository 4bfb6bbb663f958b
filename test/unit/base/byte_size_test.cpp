#include "base/byte_size.hpp"

#include <catch2/catch.hpp>

using base::parse_byte_size;

TEST_CASE("a size is a number, with the usual units") {
    CHECK(parse_byte_size("0") == 0u);
    CHECK(parse_byte_size("812") == 812u);
    CHECK(parse_byte_size("+1") == 1u);
    for (const char* text : {"256K", "256k", "256KiB", "256kib"})
        CHECK(parse_byte_size(text) == 262'144u);
    for (const char* text : {"50kB", "50KB", "50kb"})
        CHECK(parse_byte_size(text) == 50'000u);
    CHECK(parse_byte_size("7B") == 7u);
    CHECK(parse_byte_size("2M") == 2u << 20);
    CHECK(parse_byte_size("20GB") == 20'000'000'000u);
    CHECK(parse_byte_size("20G") == std::uint64_t{20} << 30);
    CHECK(parse_byte_size("1TiB") == std::uint64_t{1} << 40);
    CHECK(parse_byte_size("1000000000000000000") == 1'000'000'000'000'000'000u);
}

TEST_CASE("what is no size, or more than any disk, is none") {
    for (const char* text : {"", "k", "-1", "+", "++1", "1+", "1.5G", "3 M", "1KK", "1i", "1Ki", "1bB", "1P",
                             "all", "1000000000000000001", "909495T", "99999999999999999999"})
        CHECK_FALSE(parse_byte_size(text));
}
