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

TEST_CASE("Base64 for URLs has other digits and no padding") {
    CHECK(base::to_base64_url("\xff\xfe\xfd\xff") == "__79_w");
    CHECK(base::to_base64_url("").empty());
}

TEST_CASE("Base64 of either variant is decoded, with padding or without") {
    for (std::string text : {"", "f", "fo", "foo", "foob", "\xff\xfe\xfd\xff"}) {
        CHECK(base::from_base64(base::to_base64(text)) == text);
        CHECK(base::from_base64(base::to_base64_url(text)) == text);
    }
    for (const char* wrong : {"Z", "Zg=", "=", "====", "Zm9v!A==", "Zg===", "Z g=", "Zm9vY"})
        CHECK(!base::from_base64(wrong));
}
