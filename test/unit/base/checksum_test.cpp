#include "base/checksum.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <string>

TEST_CASE("a checksum is XXH3-64, of one text or of its pieces") {
    CHECK(base::checksum("") == 0x2d06800538d394c2);
    CHECK(base::checksum("hello") == 0x9555e8555c62dcfd);
    std::string text(1000, 'x');
    for (std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{300}, text.size()}) {
        std::string_view whole = text;
        CHECK(base::checksum(std::array{whole.substr(0, cut), whole.substr(cut)}) == base::checksum(whole));
    }
}
