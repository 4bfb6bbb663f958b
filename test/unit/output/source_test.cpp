#include "output/source.hpp"

#include "output/selection.hpp"

#include <catch2/catch.hpp>

using namespace output;

namespace {

const Source example{7, 12, "Say \"hi\" ünd\n", 2, "finally", 3};

}  // namespace

TEST_CASE("a source is a line of the index") {
    CHECK(
        index_line({7, 12, "Analyze", 2, "pre", 3}) ==
        R"({"source":7,"task":12,"step":"Analyze","attempt":2,"phase":"pre","segment":3,"checksum":"c026ef5d89a00411"})"
        "\n");
    CHECK(parse_index_line(index_line(example)) == example);
    Source limited = example;
    limited.limit = 0;
    CHECK(parse_index_line(index_line(limited)) == limited);
}

TEST_CASE("a flipped bit in a line of the index is noticed, or changes nothing") {
    const std::string line = index_line(example);
    for (std::size_t bit = 0; bit < 8 * (line.size() - 1); ++bit) {
        std::string damaged = line;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
        auto read = parse_index_line(damaged);
        INFO(damaged);
        CHECK((!read || read == example));
    }
}

TEST_CASE("unknown members of a line are ignored, and lines without a member are not read") {
    const std::string line =
        R"({"source":7,"task":12,"step":"Say \"hi\" ünd\n","attempt":2,"phase":"finally","segment":3})";
    CHECK(parse_index_line(line) == example);
    CHECK(parse_index_line("{\"more\":[1]," + line.substr(1)) == example);
    for (std::size_t size = 0; size < line.size(); ++size)
        CHECK_FALSE(parse_index_line(line.substr(0, size)));
    CHECK_FALSE(parse_index_line("[]"));
    CHECK_FALSE(parse_index_line(R"({"source":7,"task":12,"step":"A","attempt":2,"phase":"pre"})"));
    CHECK_FALSE(
        parse_index_line(R"({"source":-7,"task":1,"step":"A","attempt":2,"phase":"pre","segment":1})"));
}

TEST_CASE("a selection contains what has all that it names") {
    CHECK(Selection().contains(example));
    CHECK(Selection{example.step, 2, "finally"}.contains(example));
    CHECK_FALSE(Selection{"Other", 2, "finally"}.contains(example));
    CHECK_FALSE(Selection{example.step, 1, "finally"}.contains(example));
    CHECK_FALSE(Selection{example.step, 2, "pre"}.contains(example));
}
