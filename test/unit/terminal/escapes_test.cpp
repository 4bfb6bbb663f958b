#include "terminal/escapes.hpp"

#include <catch2/catch.hpp>

using terminal::Colors;
using terminal::without_escapes;

TEST_CASE("escape sequences and control characters are left out") {
    auto plain = [](std::string_view line) { return without_escapes(line, Colors::removed); };
    CHECK(plain("a\tb ü") == "a\tb ü");
    CHECK(plain("\x1b[1;31mred\x1b[0m text") == "red text");
    CHECK(plain("\x1b]0;title\x07"
                "a\x1b]8;;http://x\x1b\\link") == "alink");
    CHECK(plain("\x1b[2K\x1b[1Aup\x1b(B\x1b"
                "7x") == "upx");
    CHECK(plain("\x1b[38:2:1:2:3mx") == "x");
    CHECK(plain("a\x07"
                "b\x7f\xc2\x9b"
                "c") == "abc");
    CHECK(plain("cut\x1b[3") == "cut");
    CHECK(plain("cut\x1b") == "cut");
    CHECK(plain("cut\x1b]0;never") == "cut");
}

TEST_CASE("what a carriage return overwrites is left out") {
    CHECK(without_escapes("10%\r50%\r100%", Colors::removed) == "100%");
    CHECK(without_escapes("done\r", Colors::removed) == "done");
    CHECK(without_escapes("\r\r", Colors::removed).empty());
}

TEST_CASE("colors may stay, and are reset") {
    CHECK(without_escapes("\x1b[1;31mred", Colors::kept) == "\x1b[1;31mred\x1b[0m");
    CHECK(without_escapes("\x1b[2Kx\x1b[?25lm", Colors::kept) == "xm");
    CHECK(without_escapes("plain", Colors::kept) == "plain");
}
