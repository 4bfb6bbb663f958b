#include "base/base64.hpp"

#include <catch2/catch.hpp>

TEST_CASE("Base64 is that of RFC 4648") {
    CHECK(base::to_base64("").empty());
    CHECK(base::to_base64("f") == "Zg==");
    CHECK(base::to_base64("fo") == "Zm8=");
    CHECK(base::to_base64("foo") == "Zm9v");
    CHECK(base::to_base64("foob") == "Zm9vYg==");
    CHECK(base::to_base64("foobar") == "Zm9vYmFy");
    CHECK(base::to_base64("\xff\xfe\xfd") == "//79");
}
