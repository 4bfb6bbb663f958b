#include "terminal/color.hpp"

#include <catch2/catch.hpp>

using terminal::Color;
using terminal::Environment;
using terminal::wants_color;

TEST_CASE("by default a terminal gets colours and nothing else does") {
    Environment plain{"xterm-256color", "", ""};
    CHECK(wants_color(Color::automatic, true, plain));
    CHECK_FALSE(wants_color(Color::automatic, false, plain));
    CHECK_FALSE(wants_color(Color::automatic, true, {"dumb", "", ""}));
    CHECK_FALSE(wants_color(Color::automatic, true, {"", "", ""}));
}

TEST_CASE("NO_COLOR turns colours off, CLICOLOR_FORCE on, and NO_COLOR goes before it") {
    CHECK_FALSE(wants_color(Color::automatic, true, {"xterm", "1", ""}));
    CHECK(wants_color(Color::automatic, false, {"xterm", "", "1"}));
    CHECK(wants_color(Color::automatic, false, {"dumb", "", "1"}));
    CHECK_FALSE(wants_color(Color::automatic, false, {"xterm", "", "0"}));
    CHECK_FALSE(wants_color(Color::automatic, true, {"xterm", "1", "1"}));
}

TEST_CASE("the option --color goes before everything else") {
    CHECK(wants_color(Color::always, false, {"dumb", "1", ""}));
    CHECK_FALSE(wants_color(Color::never, true, {"xterm", "", "1"}));
    CHECK(terminal::parse_color("auto") == Color::automatic);
    CHECK(terminal::parse_color("never") == Color::never);
    CHECK_FALSE(terminal::parse_color("yes"));
}

TEST_CASE("painted text ends plain, and is untouched without colours") {
    CHECK(terminal::paint("x", terminal::Style::red, true) == "\x1b[31mx\x1b[0m");
    CHECK(terminal::paint("x", terminal::Style::red, false) == "x");
    CHECK(terminal::paint("", terminal::Style::red, true).empty());
}
