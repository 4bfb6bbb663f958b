#include "base/hex.hpp"

#include <catch2/catch.hpp>

TEST_CASE("bytes become pairs of digits, and come back") {
    std::string bytes("\x00/caf\xE9\xFF", 7);
    CHECK(base::to_hex(bytes) == "002f636166e9ff");
    CHECK(base::from_hex("002f636166E9ff") == bytes);
    CHECK(base::from_hex("") == "");
    for (const char* wrong : {"0", "0g", "g0", " 0", "-1", "0x", "123"})
        CHECK_FALSE(base::from_hex(wrong));
}
