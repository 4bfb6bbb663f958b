#include "base/shell.hpp"

#include <catch2/catch.hpp>

using base::shell_word;

TEST_CASE("a plain word stays as it is, anything else is quoted") {
    CHECK(shell_word("/tmp/run-1.ndjson") == "/tmp/run-1.ndjson");
    CHECK(shell_word("") == "''");
    CHECK(shell_word("two words") == "'two words'");
    CHECK(shell_word("$HOME;`x`\n") == "'$HOME;`x`\n'");
    CHECK(shell_word("it's") == "'it'\\''s'");
    CHECK(shell_word("~user") == "'~user'");
}
