#include "json/canonical.hpp"

#include <catch2/catch.hpp>

namespace {

std::string canonical_of(std::string_view text) {
    return json::canonical(json::View::of(text));
}

}  // namespace

TEST_CASE("values that differ in the order of their members have the same text") {
    CHECK(canonical_of(R"({"b":[{"d":1,"c":2}],"a":null})") == R"({"a":null,"b":[{"c":2,"d":1}]})");
    CHECK(canonical_of("{ \"a\" : [ ] , \"b\":{}}") == R"({"a":[],"b":{}})");
}

TEST_CASE("members of the same name stay in their order") {
    CHECK(canonical_of(R"({"a":2,"a":1})") == R"({"a":2,"a":1})");
}

TEST_CASE("strings are escaped in one way") {
    CHECK(canonical_of(R"(["\u0061\/\u00e9\n"])") == "[\"a/\xC3\xA9\\n\"]");
    CHECK(canonical_of(R"({"\u0061":1})") == R"({"a":1})");
}

TEST_CASE("numbers and the order of elements stay") {
    CHECK(canonical_of("[1.0,1,1e2,true]") == "[1.0,1,1e2,true]");
}
