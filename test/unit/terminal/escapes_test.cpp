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
                "b\x7f\xc2\x85"
                "c") == "abc");
    CHECK(plain("\xc2\x9b"
                "31mred\xc2\x9bm text") == "red text");
    CHECK(plain("\xc2\x9d"
                "0;title\xc2\x9c"
                "a\xc2\x9b") == "a");
    CHECK(plain("cut\x1b[3") == "cut");
    CHECK(plain("cut\x1b") == "cut");
    CHECK(plain("cut\x1b]0;never") == "cut");
}

TEST_CASE("what a carriage return overwrites is left out") {
    CHECK(without_escapes("10%\r50%\r100%", Colors::removed) == "100%");
    CHECK(without_escapes("a long text\rNo", Colors::removed) == "Nolong text");
    CHECK(without_escapes("gr\xc3\xbc\xc3\x9f dich\rG", Colors::removed) == "Gr\xc3\xbc\xc3\x9f dich");
    CHECK(without_escapes("100 of 100\r\x1b[K7 of 100", Colors::removed) == "7 of 100");
    CHECK(without_escapes("100 of 100\r7\x1b[K", Colors::removed) == "7");
    CHECK(without_escapes("100 of 100\x1b[2K\r7", Colors::removed) == "7");
    CHECK(without_escapes("abc\x1b[2Kd\re", Colors::removed) == "e  d");
    CHECK(without_escapes("\x1b[31mabc\r\x1b[32mX", Colors::kept) == "\x1b[32mX\x1b[0m\x1b[31mbc\x1b[0m");
    CHECK(without_escapes("done\r", Colors::removed) == "done");
    CHECK(without_escapes("\r\r", Colors::removed).empty());
}

TEST_CASE("what is not UTF-8, and what reverses text, is shown as such") {
    CHECK(without_escapes("a\x9b"
                          "31mb",
                          Colors::removed) == "a?31mb");
    CHECK(without_escapes("a\xe2\x80\xae"
                          "b\tc",
                          Colors::kept) == "a?b\tc");
    CHECK(without_escapes("a\x1b[31m\xff\x1b[0mb", Colors::kept) == "a\x1b[31m?\x1b[0mb\x1b[0m");
    CHECK(without_escapes("\xff\rx", Colors::removed) == "x");
}

// A test that does not end in time is the failure.
TEST_CASE("what erases a long line, and colors that are long, take linear time") {
    std::string erased = "x\r" + std::string(1'000'000, 'a');
    for (int i = 0; i < 250'000; ++i)
        erased += "\x1b[2K";
    CHECK(without_escapes(erased, Colors::removed).empty());
    CHECK(without_escapes(erased + "b", Colors::removed).size() == 1'000'001);
    std::string color = "\x1b[" + std::string(1'000'000, '1') + "m";
    CHECK(without_escapes("\r" + color + std::string(100'000, 'a'), Colors::kept).starts_with("\x1b[111"));
}
TEST_CASE("a color that comes again is the same") {
    CHECK(without_escapes("a\r\x1b[31mb\x1b[31mc", Colors::kept) == "\x1b[31mbc\x1b[0m");
}
TEST_CASE("a line with many carriage returns takes linear time") {
    std::string line(500'000, 'a');
    for (int i = 0; i < 100'000; ++i)
        line += "\rnn";
    CHECK(without_escapes(line, Colors::kept).starts_with("nnaaa"));
}

TEST_CASE("colors may stay, and are reset") {
    CHECK(without_escapes("\x1b[1;31mred", Colors::kept) == "\x1b[1;31mred\x1b[0m");
    CHECK(without_escapes("\x1b[2Kx\x1b[?25lm", Colors::kept) == "xm");
    CHECK(without_escapes("plain", Colors::kept) == "plain");
}
