#include "terminal/width.hpp"

#include <catch2/catch.hpp>

using terminal::cut;
using terminal::pad_left;
using terminal::pad_right;
using terminal::printable;
using terminal::width;

TEST_CASE("width counts columns, not bytes") {
    CHECK(width("") == 0);
    CHECK(width("Analyze") == 7);
    CHECK(width("Größe") == 5);
    CHECK(width("日本語") == 6);
    CHECK(width("e\u0301") == 1);
    CHECK(width("🚀") == 2);
    CHECK(width("한글") == 4);
    CHECK(width("█▌…") == 3);
    CHECK(width("a\u200bb") == 2);
}

TEST_CASE("colours take no columns") {
    CHECK(width("\x1b[31mred\x1b[0m") == 3);
    CHECK(width("\x1b[1;31mred\x1b[m") == 3);
    CHECK(cut("\x1b[31mabcdef\x1b[0m", 4) == "\x1b[31mabc…\x1b[0m");
}

TEST_CASE("bytes that are no UTF-8 count one column each") {
    CHECK(width("a\xff\xc3") == 3);
    CHECK(width("\xe6\x97") == 2);
    CHECK(width("\xc0\x80") == 2);
    CHECK(cut("\xff\xff\xff", 2) == "\xff…");
}

TEST_CASE("what is cut ends in an ellipsis and is never too wide") {
    CHECK(cut("abc", 3) == "abc");
    CHECK(cut("abcd", 3) == "ab…");
    CHECK(cut("abcd", 1) == "…");
    CHECK(cut("abcd", 0).empty());
    CHECK(cut("日本", 4) == "日本");
    CHECK(cut("日本", 3) == "日…");
    CHECK(cut("日本", 2) == "…");
    CHECK(cut("ae\u0301xy", 3) == "ae\u0301…");
}

TEST_CASE("a padded text is exactly as wide as asked for") {
    CHECK(pad_right("ab", 4) == "ab  ");
    CHECK(pad_left("ab", 4) == "  ab");
    CHECK(pad_right("日本", 5) == "日本 ");
    CHECK(pad_right("日本", 2) == "… ");
    CHECK(pad_left("abcdef", 4) == "abc…");
}

TEST_CASE("printable text has no control characters and is UTF-8") {
    CHECK(printable("plain é 日") == "plain é 日");
    CHECK(printable("a\nb\tc\x7f") == "a?b?c?");
    CHECK(printable("\x1b[31mred") == "?[31mred");
    CHECK(printable("\xc2\x9b") == "?");
    CHECK(printable("a\u202eb\u2069") == "a?b?");
    CHECK(printable("\xff\xed\xa0\x80") == "????");
}
