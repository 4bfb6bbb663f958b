#include "launch/keep_output.hpp"

#include <catch2/catch.hpp>

TEST_CASE("the option --keep-output is a size, all or none") {
    CHECK(launch::parse_keep_output("256K")->limit == std::size_t{256 * 1024});
    CHECK(launch::parse_keep_output("256k")->limit == std::size_t{256 * 1024});
    CHECK(launch::parse_keep_output("1")->limit == std::size_t{1});
    CHECK(launch::parse_keep_output("2M")->limit == std::size_t{2} << 20);
    CHECK(launch::parse_keep_output("3G")->limit == std::size_t{3} << 30);
    CHECK(launch::parse_keep_output("all")->is_kept);
    CHECK_FALSE(launch::parse_keep_output("all")->limit);
    CHECK_FALSE(launch::parse_keep_output("none")->is_kept);
    for (const char* wrong : {"", "0", "0K", "K", "-1", "1.5M", "1 K", "ALL", "99999999999G", "1KK"})
        CHECK_FALSE(launch::parse_keep_output(wrong));
}
