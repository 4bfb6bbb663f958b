#include "json/shown_text.hpp"

#include <catch2/catch.hpp>

using json::shown_text;

TEST_CASE("text is shown as it is, with its lines") {
    for (const char* text : {"", "a\tb\nc\n", "größer → 漢字 🎪"})
        CHECK(shown_text(text) == text);
}

TEST_CASE("what a terminal would obey is shown as an escape") {
    CHECK(shown_text("\x1b[31m\r\x7f\b") == "\\x1b[31m\\x0d\\x7f\\x08");
    CHECK(shown_text("a\xc2\x85z\xc2\x9b") == "a\\u0085z\\u009b");
    CHECK(shown_text("a\xe2\x80\xaetxt.exe\xe2\x81\xa6") == "a\\u202etxt.exe\\u2066");
    CHECK(shown_text("one line\u2028of\u2029another") == "one line\\u2028of\\u2029another");
}

TEST_CASE("bytes that are no text are shown as such") {
    CHECK(shown_text("a\xff\xe2\x80") == "a\\xff\\xe2\\x80");
    CHECK(shown_text("\xc0\x9b\xed\xa0\x80") == "\\xc0\\x9b\\xed\\xa0\\x80");
}
