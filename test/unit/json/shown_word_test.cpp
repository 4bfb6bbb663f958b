#include "json/shown_word.hpp"

#include <catch2/catch.hpp>

using json::shown_word;

TEST_CASE("a word that can be printed is quoted where the shell needs it") {
    CHECK(shown_word("/tmp/run-1.ndjson") == "/tmp/run-1.ndjson");
    CHECK(shown_word("two größer words") == "'two größer words'");
    CHECK(shown_word("") == "''");
}

TEST_CASE("a word that cannot be printed is made by the shell") {
    CHECK(shown_word("caf\xe9.ndjson") == R"x("$(printf 'caf\351.ndjson')")x");
    CHECK(shown_word("it's 5% \\ \x1b[m\xff") == R"x("$(printf 'it\047s 5%% \134 \033[m\377')")x");
    CHECK(shown_word("a\u2028b") == R"x("$(printf 'a\342\200\250b')")x");
}
