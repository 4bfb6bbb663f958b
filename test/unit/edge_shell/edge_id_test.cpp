#include "edge_shell/edge_id.hpp"

#include <catch2/catch.hpp>

using namespace edge_shell;

TEST_CASE("the id of an edge is made of the host's name and a number") {
    CHECK(new_edge_id("h1", 0xAB).text() == "h1-000000ab");
    CHECK(new_edge_id("h1.example.org", 0xFFFFFFFF).text() == "h1-example-org-ffffffff");
    CHECK(new_edge_id("", 1).text() == "host-00000001");
    CHECK(new_edge_id("\xc3\xa9 >*\n", 1).text() == "host-00000001");
    CHECK(new_edge_id(std::string(100, 'a'), 1).text() == std::string(32, 'a') + "-00000001");
}

TEST_CASE("the id of an edge has 1 to 48 letters, digits, hyphens and underscores") {
    CHECK(is_edge_id("a"));
    CHECK(is_edge_id("_-Az09"));
    CHECK(is_edge_id(std::string(48, 'z')));
    for (const std::string& id : {std::string(), std::string(49, 'z'), std::string("a.b"), std::string("a "),
                                  std::string("*"), std::string("a\n"), std::string("\0", 1)})
        CHECK_FALSE(is_edge_id(id));
}
