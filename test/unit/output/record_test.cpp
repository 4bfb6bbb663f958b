#include "output/record.hpp"

#include "times.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <string>
#include <vector>

using namespace output;
using output_test::at;
using namespace std::string_literals;

namespace {

std::string text_of(const std::vector<Record>& records) {
    std::string text;
    for (const Record& record : records)
        append_record(text, record);
    return text;
}

const std::string binary = "\n\0\xff 1 out\r"s;

std::vector<Record> examples() {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return {{1, Stream::out, at(1795411234567), 0, "[]\n"},
            {most, Stream::err, at(0), most, binary},
            {2, Stream::out, at(-1), 12, ""}};
}

}  // namespace

TEST_CASE("a record is a line and its bytes") {
    std::string text = text_of({{12, Stream::err, at(1795411234567), 40, "oops"}});
    CHECK(text.starts_with("12 err 1795411234567 40 4 "));
    CHECK(text.ends_with("\noops\n"));
}

TEST_CASE("records are read as they were written") {
    std::string text = text_of(examples());
    std::string_view rest = text;
    for (const Record& expected : examples())
        CHECK(take_record(rest) == expected);
    CHECK(rest.empty());
    CHECK_FALSE(take_record(rest));
}

TEST_CASE("a part of a record is none") {
    for (const Record& example : examples()) {
        const std::string text = text_of({example});
        for (std::size_t size = 0; size < text.size(); ++size) {
            std::string_view part = std::string_view(text).substr(0, size);
            CHECK_FALSE(take_record(part));
            CHECK(part.size() == size);
        }
    }
}

TEST_CASE("a record with a changed byte is none") {
    for (const Record& example : examples()) {
        const std::string text = text_of({example});
        for (std::size_t i = 0; i < text.size(); ++i) {
            std::string changed = text;
            changed[i] = static_cast<char>(changed[i] ^ 1);
            std::string_view rest = changed;
            INFO(i);
            CHECK_FALSE(take_record(rest));
        }
    }
}

TEST_CASE("behind a damaged record the next one is found") {
    const std::vector<Record> three{{1, Stream::out, at(1), 0, "first\n"},
                                    {1, Stream::out, at(2), 6, "second\n"},
                                    {2, Stream::err, at(3), 0, "third\n"}};
    const std::string text = text_of(three);
    const std::size_t first = text_of({three[0]}).size();
    for (std::size_t at = 0; at < first; ++at) {
        std::string damaged = text;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        std::string_view rest = damaged;
        CHECK_FALSE(take_record(rest));
        CHECK(damage_before_record(rest, true) == first);
    }
}

TEST_CASE("a size that no record has is damaged, although more may come") {
    const std::string next = text_of({{2, Stream::err, at(3), 0, "third\n"}});
    const std::string damaged = "1 out 1795411234567 0 16385 0123456789abcdef\nfirst\n\n";
    CHECK(damage_before_record(damaged + next, false) == damaged.size());
    CHECK_FALSE(damage_before_record(damaged, false));
}

TEST_CASE("a record that is still written is not damaged, whatever is in it") {
    const std::string fake = text_of({{7, Stream::err, at(5), 0, "not there\n"}});
    const std::string bytes = "x\n" + fake + "y\n";
    const std::string text = text_of({{1, Stream::out, at(1), 0, bytes}});
    for (std::size_t size = 0; size < text.size(); ++size)
        CHECK_FALSE(damage_before_record(std::string_view(text).substr(0, size), false));
    std::string damaged = text;
    damaged[text.find('x')] = 'z';
    CHECK(damage_before_record(damaged, true) == text.size());
}
