#include "kept_output/logs_text.hpp"

#include <catch2/catch.hpp>

namespace {

output::Time at(std::int64_t milliseconds) {
    return output::Time(std::chrono::milliseconds(milliseconds));
}

const output::Source source{1, 12, "Say \"hi\"", 2, "post", 1};

output::Line line(std::string_view text) {
    return {1, output::Stream::err, at(1795411234567), text, 0};
}

const output::Line gap{1, output::Stream::out, at(1000), {}, 4096};

}  // namespace

TEST_CASE("a line of kept output as JSON") {
    const std::string begin =
        R"({"time":1795411234567,"task":12,"step":"Say \"hi\"","attempt":2,"phase":"post","stream":"stderr",)";
    CHECK(kept_output::json_line(source, line("a\x1b[1m")) == begin + "\"text\":\"a\\u001b[1m\"}\n");
    CHECK(kept_output::json_line(source, line("\xff")) == begin + "\"base64\":\"/w==\"}\n");
    CHECK(
        kept_output::json_line(source, gap) ==
        R"({"time":1000,"task":12,"step":"Say \"hi\"","attempt":2,"phase":"post","stream":"stdout","omitted":4096})"
        "\n");
}

TEST_CASE("a line of kept output as text") {
    kept_output::LogsText plain({false, false});
    CHECK(plain.line(source, line("\x1b[1ma")) == "Say \"hi\" 12 | a\n");
    CHECK(plain.line({2, 3, "A", 1, "pre", 1}, line("b")) == "A 3         | b\n");
    CHECK(plain.line(source, gap) == "Say \"hi\" 12 | [4096 bytes left out]\n");
    kept_output::LogsText timed({true, true});
    CHECK(timed.line({2, 1, "A", 1, "pre", 1}, line("\x1b[1mb")) ==
          "\x1b[33mA 1 |\x1b[0m 2026-11-23T05:20:34.567Z \x1b[1mb\x1b[0m\n");
}
