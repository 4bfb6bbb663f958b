#include "json/source_excerpt.hpp"

#include "base/columns.hpp"

#include <catch2/catch.hpp>

namespace {

// The two lines without their margins.
struct Lines {
    std::string text;
    std::string caret;
};

Lines lines(std::string_view text, json::Mark mark) {
    std::string out = json::source_excerpt(text, 1, mark);
    std::size_t end = out.find('\n');
    REQUIRE(end != std::string::npos);
    REQUIRE(out.find('\n', end + 1) == std::string::npos);
    return {out.substr(8, end - 8), out.substr(end + 9)};
}

}  // namespace

TEST_CASE("an excerpt has the line, its number, and a caret below the place") {
    CHECK(json::source_excerpt("{\n  \"a\": tru\n}", 2, {9, 3}) ==
          "    2 |   \"a\": tru\n      |        ^~~");
    CHECK(json::source_excerpt("x", 123456, {0, 1}) == "123456 | x\n       | ^");
}

TEST_CASE("the caret may stand behind the end of the text, of a line, and in an empty one") {
    CHECK(lines("[1", {2, 1}).caret == "  ^");
    CHECK(lines("[1\n]", {2, 1}).caret == "  ^");
    CHECK(lines("[1\r\n]", {2, 1}).text == "[1");
    CHECK(lines("", {0, 1}).caret == "^");
    CHECK(lines("[\n", {2, 1}).text.empty());
    CHECK(lines("[", {99, 1}).caret == " ^");
}

TEST_CASE("a mark is underlined up to its end or the line's") {
    CHECK(lines("[abc, d]", {1, 3}).caret == " ^~~");
    CHECK(lines("[abc\n, d]", {1, 7}).caret == " ^~~");
    CHECK(lines("[abc", {1, 0}).caret == " ^");
}

TEST_CASE("tabs and wide characters don't shift the caret") {
    Lines tabs = lines("\t\tx", {2, 1});
    CHECK(tabs.text == "        x");
    CHECK(tabs.caret == "        ^");
    CHECK(lines("\"äöü\" x", {9, 1}).caret == "      ^");
    CHECK(lines("漢字x", {6, 1}).caret == "    ^");
    CHECK(lines("漢字x", {0, 6}).caret == "^~~~");
    CHECK(lines("e\xCC\x81x", {3, 1}).caret == " ^");
    CHECK(lines("🙂x", {4, 1}).caret == "  ^");
}

TEST_CASE("what a terminal could take for a command is not shown as it is") {
    CHECK(lines("a\x1B[2Jb", {5, 1}).text == "a\xEF\xBF\xBD[2Jb");
    Lines invalid = lines("a\xFF\x80z", {3, 1});
    CHECK(invalid.text == "a\xEF\xBF\xBD\xEF\xBF\xBDz");
    CHECK(invalid.caret == "   ^");
    CHECK(lines("a\xE2\x80\xAEz", {4, 1}).text == "a\xEF\xBF\xBDz");
}

TEST_CASE("a long line is cut round the caret") {
    std::string text = std::string(300, 'a') + "X" + std::string(300, 'b');
    Lines middle = lines(text, {300, 1});
    CHECK(middle.text == "…" + std::string(60, 'a') + "X" + std::string(39, 'b') + "…");
    CHECK(middle.caret == std::string(61, ' ') + "^");
    Lines start = lines(text, {3, 1});
    CHECK(start.text == std::string(100, 'a') + "…");
    CHECK(start.caret == "   ^");
    Lines end = lines(text, {600, 1});
    CHECK(end.text == "…" + std::string(99, 'b') + "b");
    CHECK(end.caret == std::string(100, ' ') + "^");
    CHECK(lines(std::string(100, 'a'), {50, 1}).text == std::string(100, 'a'));
}

TEST_CASE("the cost of an excerpt does not depend on the line's length") {
    std::string text(64 * 1024 * 1024, 'a');
    for (int i = 0; i < 10'000; ++i)
        CHECK(json::source_excerpt(text, 1, {text.size() / 2, 1}).size() < 300);
}

TEST_CASE("combining characters take no column, wide ones two, all others one") {
    CHECK(base::columns('a') == 1);
    CHECK(base::columns(0xE9) == 1);
    CHECK(base::columns(0x301) == 0);
    CHECK(base::columns(0x6F22) == 2);
    CHECK(base::columns(0xAC00) == 2);
    CHECK(base::columns(0x1F642) == 2);
    CHECK(base::columns(0x2500) == 1);
    CHECK(base::columns(0x10FFFF) == 1);
}
