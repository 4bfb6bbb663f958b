#include "base/plain_number.hpp"

#include <catch2/catch.hpp>

#include <limits>

using base::plain_number;

TEST_CASE("a number has no exponent and no needless digits") {
    CHECK(plain_number(0) == "0");
    CHECK(plain_number(0.001) == "0.001");
    CHECK(plain_number(0.000'001) == "0.000001");
    CHECK(plain_number(1e9) == "1000000000");
    CHECK(plain_number(-1.5) == "-1.5");
    CHECK(plain_number(std::numeric_limits<double>::max()).size() == 309);
    CHECK(plain_number(std::numeric_limits<double>::denorm_min()).size() == 326);
}
