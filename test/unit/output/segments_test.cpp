#include "output/segments.hpp"

#include <catch2/catch.hpp>

using namespace output;

namespace {

constexpr std::size_t full = Segments::full_size;

}  // namespace

TEST_CASE("a full segment is followed by another one") {
    Segments segments;
    CHECK(segments.current() == 1);
    segments.grown(full - 1);
    CHECK(segments.current() == 1);
    segments.grown(1);
    CHECK(segments.current() == 2);
}

TEST_CASE("a full segment is due when half of it is not kept, once until it was rewritten") {
    Segments segments;
    segments.grown(full);
    segments.dropped(1, full / 2 - 1);
    CHECK_FALSE(segments.take_due());
    segments.dropped(1, 1);
    CHECK(segments.take_due() == 1);
    CHECK_FALSE(segments.take_due());
    segments.rewritten(1, full / 2);
    segments.dropped(1, full / 4 - 1);
    CHECK_FALSE(segments.take_due());
    segments.dropped(1, 1);
    CHECK(segments.take_due() == 1);
}

TEST_CASE("the current segment is due only when it is full") {
    Segments segments;
    segments.grown(full - 1);
    segments.dropped(1, full - 1);
    CHECK_FALSE(segments.take_due());
    segments.grown(1);
    CHECK(segments.take_due() == 1);
}

TEST_CASE("in the end each segment is due of which something is not kept") {
    Segments segments;
    segments.grown(full);
    segments.grown(full);
    segments.grown(10);
    segments.dropped(1, 1);
    segments.dropped(3, 1);
    segments.finish();
    CHECK(segments.take_due() == 1);
    CHECK(segments.take_due() == 3);
    CHECK_FALSE(segments.take_due());
}
