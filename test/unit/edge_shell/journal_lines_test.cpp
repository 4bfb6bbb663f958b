#include "edge_shell/journal_lines.hpp"

#include <catch2/catch.hpp>

using namespace edge_shell;

namespace {

std::string put(std::string_view key, std::string_view text) {
    std::string line;
    append_put(line, key, text);
    return line;
}

std::string erased(std::string_view key) {
    std::string line;
    append_erase(line, key);
    return line;
}

std::string_view without_end(std::string_view line) {
    return line.substr(0, line.size() - 1);
}

}  // namespace

TEST_CASE("a line of a journal is read as it was written") {
    for (std::string_view text : {"", " ", "{\"a\":1}", "+ - x", "\xff\t"}) {
        const std::string line = put("a/b", text);
        auto read = parse_journal_line(without_end(line));
        REQUIRE(read);
        CHECK(read->key == "a/b");
        CHECK(read->text == text);
        CHECK(text_of_put(line, "a/b") == text);
    }
    const std::string line = erased("a/b");
    auto read = parse_journal_line(without_end(line));
    REQUIRE(read);
    CHECK(read->key == "a/b");
    CHECK_FALSE(read->text);
}

TEST_CASE("a line of a journal that is not whole, or was changed, is none") {
    for (const std::string& line : {put("k", "text"), erased("k")}) {
        for (std::size_t size = 0; size + 1 < line.size(); ++size)
            CHECK_FALSE(parse_journal_line(line.substr(0, size)));
        for (std::size_t at = 0; at + 1 < line.size(); ++at) {
            std::string changed = line;
            changed[at] = static_cast<char>(changed[at] ^ 1);
            CHECK_FALSE(parse_journal_line(without_end(changed)));
        }
    }
}

TEST_CASE("a key of a journal has no space and is not too long") {
    CHECK(is_journal_key("a"));
    CHECK(is_journal_key(std::string(250, '~')));
    for (const std::string& key :
         {std::string(), std::string(251, 'a'), std::string("a b"), std::string("a\n"),
          std::string("\xc3\xa9"), std::string("\0", 1), std::string("\x7f")})
        CHECK_FALSE(is_journal_key(key));
}

TEST_CASE("a journal is read in pieces of any size") {
    const std::string text =
        put("a", "1") + put("b", "2") + "damaged\n" + erased("a") + put("b", "33") + "\n";
    for (std::size_t size = 1; size <= text.size(); ++size) {
        JournalReader reader;
        for (std::size_t at = 0; at < text.size(); at += size)
            reader.add(std::string_view(text).substr(at, size));
        reader.add("0123");
        CHECK(reader.size() == text.size());
        CHECK(reader.damaged() == 2);
        CHECK(reader.first_damaged() == 3);
        REQUIRE(reader.places().size() == 1);
        const JournalPlace place = reader.places().at("b");
        CHECK(text.substr(place.offset, place.size) == put("b", "33"));
    }
}
