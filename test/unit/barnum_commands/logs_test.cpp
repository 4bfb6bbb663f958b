#include "commands/runs/since.hpp"
#include "kept_output/logs_text.hpp"
#include "launch/keep_output.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace barnum;

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

TEST_CASE("the option --keep-output is a size, all or none") {
    CHECK(launch::parse_keep_output("256K")->limit == std::size_t{256 * 1024});
    CHECK(launch::parse_keep_output("256k")->limit == std::size_t{256 * 1024});
    CHECK(launch::parse_keep_output("1")->limit == std::size_t{1});
    CHECK(launch::parse_keep_output("2M")->limit == std::size_t{2} << 20);
    CHECK(launch::parse_keep_output("3G")->limit == std::size_t{3} << 30);
    CHECK(launch::parse_keep_output("all")->is_kept);
    CHECK_FALSE(launch::parse_keep_output("all")->limit);
    CHECK_FALSE(launch::parse_keep_output("none")->is_kept);
    for (const char* wrong : {"", "0", "0K", "K", "-1", "1.5M", "1 K", "ALL", "99999999999G", "1KK"})
        CHECK_FALSE(launch::parse_keep_output(wrong));
}

TEST_CASE("a time on the command line is a span before now, or a time in UTC") {
    const auto now = at(1'000'000'000'000);
    CHECK(parse_since("90s", now) == now - std::chrono::seconds(90));
    CHECK(parse_since("10m", now) == now - std::chrono::minutes(10));
    CHECK(parse_since("2h", now) == now - std::chrono::hours(2));
    CHECK(parse_since("3d", now) == now - std::chrono::hours(72));
    CHECK(parse_since("2026-11-23T05:20:34.567Z", now) == at(1795411234567));
    CHECK(parse_since("2026-11-23T05:20:34.5679Z", now) == at(1795411234567));
    CHECK(parse_since("2026-11-23T05:20:34Z", now) == at(1795411234000));
    CHECK(parse_since("1970-01-01T00:00:00Z", now) == at(0));
    for (const char* wrong :
         {"", "s", "10", "-1s", "1.5h", "10 m", "9999999999d", "2026-11-23", "2026-11-23T05:20:34",
          "2026-13-23T05:20:34Z", "2026-11-31T05:20:34Z", "2026-11-23T24:20:34Z", "2026-11-23T05:20:34.Z",
          "2026-11-23T05:20:34.xZ", "2026-11-23 05:20:34Z"})
        CHECK_FALSE(parse_since(wrong, now));
}
