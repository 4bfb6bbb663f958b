#include "output/lines.hpp"

#include "times.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace output;
using output_test::at;

namespace {

// "1 out 5: text", or "1 out 5 -30" for 30 bytes that were left out.
struct Seen {
    std::vector<std::string> lines;
    Lines splitter{[this](const Line& line) {
        std::string text = std::to_string(line.source) + (line.stream == Stream::out ? " out " : " err ") +
                           std::to_string(line.time.time_since_epoch().count());
        lines.push_back(
            text + (line.omitted > 0 ? " -" + std::to_string(line.omitted) : ": " + std::string(line.text)));
    }};
};

using Expected = std::vector<std::string>;

}  // namespace

TEST_CASE("lines are put together from pieces, with the time of their beginning") {
    Seen seen;
    seen.splitter.add({1, Stream::out, at(5), 0, "a"});
    seen.splitter.add({1, Stream::err, at(6), 0, "other\n"});
    seen.splitter.add({1, Stream::out, at(7), 1, "b\n\nc\nd"});
    CHECK(seen.lines == Expected{"1 err 6: other", "1 out 5: ab", "1 out 7: ", "1 out 7: c"});
}

TEST_CASE("the end of a stream ends its last line") {
    Seen seen;
    seen.splitter.add({1, Stream::out, at(5), 0, "a"});
    seen.splitter.add({1, Stream::out, at(9), 1, ""});
    CHECK(seen.lines == Expected{"1 out 5: a"});
    seen.splitter.finish();
    CHECK(seen.lines.size() == 1);
}

TEST_CASE("the end of the records ends the last lines") {
    Seen seen;
    seen.splitter.add({2, Stream::err, at(5), 0, "b"});
    seen.splitter.add({1, Stream::out, at(6), 0, "a\n"});
    seen.splitter.add({2, Stream::out, at(7), 0, "c"});
    seen.splitter.finish();
    CHECK(seen.lines == Expected{"1 out 6: a", "2 out 7: c", "2 err 5: b"});
}

TEST_CASE("what was left out is told, also at the beginning and the end of a stream") {
    Seen seen;
    seen.splitter.add({1, Stream::out, at(1), 3, "half"});
    seen.splitter.add({1, Stream::out, at(2), 10, "other half\n"});
    seen.splitter.add({1, Stream::out, at(3), 30, ""});
    CHECK(seen.lines ==
          Expected{"1 out 1 -3", "1 out 1: half", "1 out 2 -3", "1 out 2: other half", "1 out 3 -9"});
}

TEST_CASE("a line without an end comes in pieces") {
    Seen seen;
    const std::string text(Lines::longest_line, 'x');
    seen.splitter.add({1, Stream::out, at(1), 0, text + "yz\n"});
    CHECK(seen.lines == Expected{"1 out 1: " + text, "1 out 1: yz"});
}
