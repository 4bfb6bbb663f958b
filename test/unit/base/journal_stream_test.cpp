#include "base/journal_stream.hpp"

#include <catch2/catch.hpp>

TEST_CASE("a file is that of the journal if both numbers are") {
    CHECK(base::is_stream("8:4711", 8, 4711));
    for (const char* other : {"", "8", "8:", "8:471", "18:4711", "8:4711 ", " 8:4711"})
        CHECK_FALSE(base::is_stream(other, 8, 4711));
}
