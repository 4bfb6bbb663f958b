#include "io/log_line.hpp"

#include <catch2/catch.hpp>

using namespace io::log;

namespace {

constexpr std::chrono::sys_time<std::chrono::milliseconds> noon{std::chrono::milliseconds(1'795'390'000'123)};

std::string line(Format format, Level level, std::string_view text, std::string_view command = {}) {
    return formatted(format, {level, noon, text, command});
}

}  // namespace

TEST_CASE("a line for people has the time and the level") {
    CHECK(line(Format::text, Level::warn, "a\nb\x1b\x7f\xc2\x85\tc\n") ==
          "2026-11-22T23:26:40.123Z WARN  a\n    b\\x1b\\x7f\\u0085\tc\n");
    CHECK(line(Format::text, Level::warn, "a\xe2\x80\xae\xff") ==
          "2026-11-22T23:26:40.123Z WARN  a\\u202e\\xff\n");
    CHECK(line(Format::text, Level::info, "do:", "barnum ps") ==
          "2026-11-22T23:26:40.123Z INFO  do:\n    barnum ps\n");
}

TEST_CASE("for the journal, each line has its priority") {
    CHECK(line(Format::journal, Level::error, "a\nb", "c") == "<3>a\n<3>    b\n<3>    c\n");
    CHECK(line(Format::journal, Level::warn, "a") == "<4>a\n");
    CHECK(line(Format::journal, Level::info, "a") == "<6>a\n");
    CHECK(line(Format::journal, Level::debug, "a") == "<7>a\n");
    CHECK(line(Format::journal, Level::trace, "a") == "<7>a\n");
}

TEST_CASE("for programs, an event is a JSON object on one line") {
    CHECK(line(Format::json, Level::warn, "a\n\"b\"\xff") ==
          "{\"time\":\"2026-11-22T23:26:40.123Z\",\"level\":\"warn\",\"message\":"
          "\"a\\n\\\"b\\\"\xef\xbf\xbd\"}\n");
    CHECK(line(Format::json, Level::info, "do:", "barnum ps") ==
          R"({"time":"2026-11-22T23:26:40.123Z","level":"info","message":"do:","command":"barnum ps"})"
          "\n");
}

TEST_CASE("levels have names and an order") {
    CHECK(parse_level("off") == Level::off);
    CHECK(parse_level("trace") == Level::trace);
    CHECK_FALSE(parse_level("INFO"));
    CHECK(name_of(Level::warn) == "warn");
    CHECK(more_than(Level::info) == Level::debug);
    CHECK(more_than(Level::trace) == Level::trace);
    CHECK(more_than(Level::off) == Level::error);
    CHECK(less_than(Level::warn) == Level::error);
    CHECK(less_than(Level::error) == Level::error);
    CHECK(less_than(Level::off) == Level::off);
}
