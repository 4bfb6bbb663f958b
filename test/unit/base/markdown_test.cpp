#include "base/markdown.hpp"

#include <catch2/catch.hpp>

using base::code_block;

TEST_CASE("a code block ends on a line of its own") {
    CHECK(code_block("sh", "true") == "```sh\ntrue\n```");
    CHECK(code_block("", "a\nb\n") == "```\na\nb\n```");
    CHECK(code_block("text", "") == "```text\n\n```");
}

TEST_CASE("the fence of a code block does not occur in its text") {
    CHECK(code_block("", "`` ```") == "````\n`` ```\n````");
}
