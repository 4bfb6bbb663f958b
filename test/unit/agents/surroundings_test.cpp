// What is around a program.
#include "agents/surroundings.hpp"

#include <catch2/catch.hpp>

using namespace agents;

TEST_CASE("only the absolute places of PATH are searched") {
    CHECK(absolute_places("/bin:/usr/bin") == "/bin:/usr/bin");
    CHECK(absolute_places(":/bin::bin:.:/usr/bin:") == "/bin:/usr/bin");
    CHECK(absolute_places(".").empty());
    CHECK(absolute_places("").empty());
}
