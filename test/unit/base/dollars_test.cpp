#include "base/dollars.hpp"

#include <catch2/catch.hpp>

using base::dollars_text;

TEST_CASE("a price has two decimals, a small one four") {
    CHECK(dollars_text(0) == "$0.00");
    CHECK(dollars_text(0.0075) == "$0.0075");
    CHECK(dollars_text(1.266) == "$1.27");
    CHECK(dollars_text(1e9) == "$1000000000.00");
}
