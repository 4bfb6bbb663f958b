#include "json/blocks.hpp"

#include "json/json.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

namespace blocks = json::blocks;

// `byte` at every place in texts of every length up to three blocks, begun at every place in a block.
template<class Look>
void for_each_place(char byte, Look look) {
    for (std::size_t begin = 0; begin < 16; ++begin) {
        for (std::size_t length = 1; length <= 48; ++length) {
            for (std::size_t place = 0; place < length; ++place) {
                std::string room(begin + length, 'a');
                room[begin + place] = byte;
                look(std::string_view(room).substr(begin), place);
            }
        }
    }
}

bool is_found_everywhere(char byte) {
    bool found = true;
    for_each_place(byte, [&](std::string_view text, std::size_t place) {
        found = found && blocks::find_offset<blocks::quote_backslash_or_control>(text, 0) == place &&
                blocks::find_offset<blocks::quote_backslash_or_control>(text, place + 1) == text.size();
    });
    return found;
}

}  // namespace

TEST_CASE("a byte is found at every place of texts of every length") {
    for (char byte : {'"', '\\', '\0', '\n', '\x1F'})
        CHECK(is_found_everywhere(byte));
}

TEST_CASE("each question is about its own bytes and no others") {
    for (int value = 0; value < 256; ++value) {
        std::string text(1, static_cast<char>(value));
        bool is_quote_or_backslash = value == '"' || value == '\\';
        INFO(value);
        CHECK((blocks::find_offset<blocks::not_ascii>(text, 0) == 0) == (value >= 0x80));
        CHECK((blocks::find_offset<blocks::quote_or_backslash>(text, 0) == 0) == is_quote_or_backslash);
        CHECK((blocks::find_offset<blocks::quote_backslash_or_control>(text, 0) == 0) ==
              (is_quote_or_backslash || value < 0x20));
    }
}

TEST_CASE("of several bytes the first is found, and none before the place asked for") {
    std::string text = "0123\"567\"9abcdef\"";
    CHECK(blocks::find_offset<blocks::quote_or_backslash>(text, 0) == 4);
    CHECK(blocks::find_offset<blocks::quote_or_backslash>(text, 5) == 8);
    CHECK(blocks::find_offset<blocks::quote_or_backslash>(text, 9) == 16);
    CHECK(blocks::find_offset<blocks::quote_or_backslash>(text, 17) == 17);
    CHECK(blocks::find_offset<blocks::quote_or_backslash>("", 0) == 0);
}

TEST_CASE("what is wrong in a string is found at every place of it") {
    for (std::string_view wrong : {"\n", "\xFF", "\xC3", "\xED\xA0\x80", "\\x"}) {
        for (std::size_t before = 0; before < 40; ++before) {
            std::string text =
                "\"" + std::string(before, 'a') + std::string(wrong) + "bcdefghijklmnopqrstuvwxyz\"";
            auto error = json::check(text);
            REQUIRE(error);
            CHECK(error->offset == 1 + before + (wrong.front() == '\\' ? 1 : 0));
        }
    }
}

TEST_CASE("valid UTF-8 is accepted wherever a text begins and ends") {
    for (std::size_t before = 0; before < 40; ++before) {
        for (std::size_t behind = 0; behind < 40; ++behind) {
            std::string text =
                std::string(before, 'a') + "\xC3\xA4\xE6\xBC\xA2\xF0\x9F\x98\x80" + std::string(behind, 'b');
            CHECK_FALSE(json::invalid_utf8(text));
        }
    }
}

TEST_CASE("a checked text gives its value without what is around it") {
    CHECK(json::checked(" \n[1, 2]\t ")->text() == "[1, 2]");
    CHECK(json::checked("// a\n{} // b", json::Dialect::jsonc)->text() == "{}");
    CHECK(json::checked("[1,]").error().offset == 3);
    CHECK(json::checked("[[1]]", json::Dialect::json, 1).has_error());
}

TEST_CASE("a string without escapes is read where it stands") {
    std::string room;
    std::string plain = R"("plain")", escaped = R"("a\nb")";
    CHECK(json::View::of(plain).string(room).data() == plain.data() + 1);
    CHECK(json::View::of(plain).string(room) == "plain");
    CHECK(json::View::of(escaped).string(room) == "a\nb");
    CHECK(json::View::of("\"\"").string(room).empty());
}
