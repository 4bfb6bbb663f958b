#include "base/current_directory.hpp"

#include <catch2/catch.hpp>

TEST_CASE("a path is made absolute from the current directory, and one from / on stays as it is") {
    auto here = base::current_directory();
    REQUIRE(here.has_value());
    CHECK(here->starts_with('/'));
    CHECK(base::absolute_path("a/b").value() == *here + (here->ends_with('/') ? "a/b" : "/a/b"));
    CHECK(base::absolute_path("/a/../b").value() == "/a/../b");
}
