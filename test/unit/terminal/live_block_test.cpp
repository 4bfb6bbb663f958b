#include "terminal/live_block.hpp"

#include "screen.hpp"
#include "terminal/full_screen.hpp"

#include <catch2/catch.hpp>

using terminal::LiveBlock;
using terminal::Size;
using Rows = std::vector<std::string>;

namespace {

constexpr Size size{20, 6};

}  // namespace

TEST_CASE("a block is drawn again in its place") {
    Screen screen(20);
    LiveBlock block;
    screen.write("before\n");
    screen.write(block.redraw({"one", "two", "three"}, size));
    CHECK(screen.rows() == Rows{"before", "one", "two", "three", ""});
    screen.write(block.redraw({"ONE", "2", "three"}, size));
    CHECK(screen.rows() == Rows{"before", "ONE", "2", "three", ""});
}

TEST_CASE("a block that has become shorter leaves nothing behind") {
    Screen screen(20);
    LiveBlock block;
    screen.write(block.redraw({"one", "two", "three"}, size));
    screen.write(block.redraw({"one"}, size));
    CHECK(screen.rows() == Rows{"one", ""});
    screen.write(block.redraw({}, size));
    CHECK(screen.rows() == Rows{""});
}

TEST_CASE("lines come out above the block") {
    Screen screen(20);
    LiveBlock block;
    screen.write(block.above("early\n", size));
    screen.write(block.redraw({"one", "two"}, size));
    screen.write(block.above("a line that is longer than the screen\nand another\n", size));
    CHECK(screen.rows() ==
          Rows{"early", "a line that is longe", "r than the screen", "and another", "one", "two", ""});
    screen.write(block.redraw({"1", "2"}, size));
    CHECK(screen.rows()[5] == "2");
    CHECK(screen.rows().size() == 7);
}

TEST_CASE("a replaced block makes room, a finished one stays") {
    Screen screen(20);
    LiveBlock block;
    screen.write(block.redraw({"one", "two"}, size));
    screen.write(block.replace("between\n", size));
    CHECK(block.is_empty());
    screen.write(block.redraw({"one", "two"}, size));
    screen.write("^C");
    screen.write(block.finish());
    screen.write("after\n");
    CHECK(screen.rows() == Rows{"between", "one", "two", "after", ""});
    CHECK(block.finish().empty());
    CHECK(block.replace("", size).empty());
}

TEST_CASE("lines are cut, and one column and one row stay free") {
    Screen screen(20);
    LiveBlock block;
    screen.write(block.redraw({"0123456789", "b", "c", "d"}, {10, 3}));
    CHECK(screen.rows() == Rows{"01234567…", "b", ""});
}

TEST_CASE("a terminal that has become narrower has broken the lines, and the block finds its first row") {
    LiveBlock block;
    block.redraw({"0123456789", "0123", "last"}, {20, 6});
    CHECK(block.redraw({"x"}, {5, 6}).starts_with("\r\x1b[4A"));
    block.redraw({"0123456789", "0123456789"}, {20, 6});
    CHECK(block.replace("", {4, 6}).starts_with("\r\x1b[6A"));
}

TEST_CASE("each change of the block is one piece of bytes without erasing it first") {
    LiveBlock block;
    block.redraw({"one", "two"}, size);
    CHECK(block.redraw({"1", "2"}, size) == "\r\x1b[2A1\x1b[K\r\n2\x1b[K\r\n\x1b[J");
}

TEST_CASE("a full screen frame fills the screen from its top and fits it") {
    CHECK(terminal::full_screen_frame({"one", "two", "three"}, {4, 2}) ==
          "\x1b[Hone\x1b[K\r\ntwo\x1b[K\x1b[J");
    CHECK(terminal::full_screen_frame({"long line"}, {5, 2}) == "\x1b[Hlon…\x1b[K\x1b[J");
    CHECK(terminal::full_screen_frame({}, {5, 2}) == "\x1b[H\x1b[2J");
}

TEST_CASE("a descriptor that is no terminal has the usual size") {
    CHECK_FALSE(terminal::is_terminal(-1));
    CHECK(terminal::size_of(-1).columns == 80);
    CHECK(terminal::size_of(-1).rows == 24);
}
