#include "reuse/first_difference.hpp"

#include <catch2/catch.hpp>

using Lines = std::vector<std::string>;

TEST_CASE("the first lines that differ are shown, and not those after them that are equal") {
    auto found = reuse::first_difference("a\nb\nc\nd", "a\nB\nx\nc\nd");
    CHECK(found.line == 2);
    CHECK(found.lines == Lines{"- b", "+ B", "+ x"});
}

TEST_CASE("a text that is new or gone has lines of one sign") {
    CHECK(reuse::first_difference("", "a\nb").lines == Lines{"+ a", "+ b"});
    CHECK(reuse::first_difference("a", "").lines == Lines{"- a"});
    auto added = reuse::first_difference("a", "a\nb");
    CHECK(added.line == 2);
    CHECK(added.lines == Lines{"+ b"});
    CHECK(reuse::first_difference("a\n", "a").lines == Lines{"- "});
}

TEST_CASE("of many lines the first three are shown") {
    CHECK(reuse::first_difference("1\n2\n3\n4", "5").lines == Lines{"- 1", "- 2", "- 3", "…", "+ 5"});
}

TEST_CASE("long lines are shown from shortly before the difference, in whole characters") {
    std::string same;
    for (int i = 0; i < 200; ++i)
        same += "é";
    auto found = reuse::first_difference(same + "x" + same, same + "y" + same);
    std::string around;
    for (int i = 0; i < 30; ++i)
        around += "é";
    REQUIRE(found.lines.size() == 2);
    CHECK(found.lines[0].starts_with("- …" + around + "x"));
    CHECK(found.lines[1].starts_with("+ …" + around + "y"));
    CHECK(found.lines[0].ends_with("é…"));
    CHECK(found.lines[0].size() < 220);
}
