#include "terminal/line_diff.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>

using terminal::DiffLine;
using Change = DiffLine::Change;

namespace {

std::string diff(const std::string& before, const std::string& after) {
    return terminal::unified_diff(before, after, false);
}

std::string lines(int first, int last) {
    std::string text;
    for (int number = first; number <= last; ++number)
        text += std::to_string(number) + "\n";
    return text;
}

// The text of which the diff says that it was before, or after.
std::string side(const std::vector<DiffLine>& diff, Change left_out) {
    std::string text;
    for (const DiffLine& line : diff)
        if (line.change != left_out) text += std::string(line.text) + "\n";
    return text;
}

std::size_t changes(const std::vector<DiffLine>& diff) {
    std::size_t count = 0;
    for (const DiffLine& line : diff)
        if (line.change != Change::none) ++count;
    return count;
}

std::string random_text(std::minstd_rand& random) {
    std::string text;
    for (auto left = random() % 12; left > 0; --left)
        text += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
    return text;
}

}  // namespace

TEST_CASE("equal texts have no diff") {
    CHECK(diff("", "").empty());
    CHECK(diff("a\nb\n", "a\nb\n").empty());
}

TEST_CASE("a changed line is shown with three lines before and after it") {
    CHECK(diff(lines(1, 9), lines(1, 4) + "five\n" + lines(6, 9)) ==
          "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("changes that are near to each other are shown together, and others apart") {
    std::string changed = "one\n" + lines(2, 7) + "eight\n" + lines(9, 20) + "more\n";
    CHECK(diff(lines(1, 20), changed) ==
          "@@ -1,11 +1,11 @@\n-1\n+one\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+eight\n 9\n 10\n 11\n"
          "@@ -18,3 +18,4 @@\n 18\n 19\n 20\n+more\n");
}

TEST_CASE("a text that was empty, or becomes so, has no lines") {
    CHECK(diff("", "a\nb\n") == "@@ -0,0 +1,2 @@\n+a\n+b\n");
    CHECK(diff("a\n", "") == "@@ -1,1 +0,0 @@\n-a\n");
}

TEST_CASE("the lines of both texts are in the diff, in their order, and as few as possible are changed") {
    std::minstd_rand random(7);
    for (int i = 0; i < 2000; ++i) {
        std::string before = random_text(random);
        std::string after = random_text(random);
        INFO(before << "---\n" << after);
        auto lines = terminal::diff_lines(before, after);
        CHECK(side(lines, Change::added) == before);
        CHECK(side(lines, Change::removed) == after);
        CHECK(changes(lines) == changes(terminal::diff_lines(after, before)));
    }
    CHECK(changes(terminal::diff_lines("a\nb\nc\nd\n", "b\nx\nd\na\n")) == 4);
}

TEST_CASE("texts that differ in very many lines are not compared within these") {
    std::string before = "same\n" + lines(1, 3000);
    std::string after = "same\n" + lines(0, 0) + lines(2, 2999) + lines(0, 0);
    auto diff = terminal::diff_lines(before, after);
    CHECK((side(diff, Change::added) == before));
    CHECK((side(diff, Change::removed) == after));
    CHECK(changes(diff) == 6000);
}

TEST_CASE("a diff can be coloured, and has no control characters of its texts") {
    CHECK(terminal::unified_diff("a\n", "\x1b[2J\n", true) ==
          "\x1b[36m@@ -1,1 +1,1 @@\x1b[0m\n\x1b[31m-a\x1b[0m\n\x1b[32m+?[2J\x1b[0m\n");
}
