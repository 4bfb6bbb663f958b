#include "output/kept_parts.hpp"

#include <catch2/catch.hpp>

using namespace output;

TEST_CASE("the head ends with the first record that does not fit") {
    KeptParts parts({10, 10});
    CHECK(parts.room_in_head() == 10);
    parts.add({6, 6});
    CHECK(parts.room_in_head() == 4);
    parts.add({5, 5});
    parts.add({1, 1});
    CHECK(parts.head() == 6);
    CHECK(parts.tail() == 6);
    CHECK(parts.room_in_head() == 0);
}

TEST_CASE("records after the head are dropped when they exceed twice the limit, the oldest first") {
    KeptParts parts({1, 10});
    for (std::uint32_t i = 0; i < 6; ++i)
        parts.add({4, 3, i});
    auto dropped = parts.drop();
    REQUIRE(dropped.size() == 4);
    CHECK(dropped.front().place == 0);
    CHECK(dropped.back().place == 3);
    CHECK(parts.tail() == 8);
    CHECK(parts.dropped_content() == 12);
    CHECK(parts.dropped_records() == 4);
    CHECK(parts.drop().empty());
    parts.add({4, 3, 6});
    CHECK(parts.drop().empty());
    CHECK(parts.drop_last().size() == 1);
}

TEST_CASE("the last record stays, however long it is") {
    KeptParts parts({1, 10});
    parts.add({4, 4});
    parts.add({100, 100});
    CHECK(parts.drop_last().size() == 1);
    CHECK(parts.drop_last().empty());
    CHECK(parts.tail() == 100);
}
