#include "base/digest.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using base::digest;

TEST_CASE("a text has the same digest at every place and in every build") {
    std::string text = "one text, of 37 bytes, of which 5 end";
    std::string elsewhere = "x" + text;
    CHECK(digest(text) == digest(std::string_view(elsewhere).substr(1)));
    CHECK(digest(text) == 0x5a62bedaf84385c4);
    CHECK(digest("") == 0x52119e88b0c3b18a);
}

TEST_CASE("texts that differ in one bit, in their order or in zeros at the end have different digests") {
    std::set<std::uint64_t> seen;
    std::size_t texts = 0;
    auto see = [&](std::string_view text) {
        ++texts;
        seen.insert(digest(text));
    };
    for (std::size_t size = 0; size < 100; ++size) {
        std::string text(size, '\0');
        see(text);
        for (std::size_t bit = 0; bit < 8 * size; ++bit) {
            text[bit / 8] = static_cast<char>(1U << bit % 8);
            see(text);
            text[bit / 8] = '\0';
        }
    }
    std::string swapped(96, 'a');
    for (std::size_t word = 0; word < 12; ++word) {
        swapped[8 * word] = 'b';
        see(swapped);
        swapped[8 * word] = 'a';
    }
    CHECK(seen.size() == texts);
}
