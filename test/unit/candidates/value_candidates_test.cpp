#include "candidates/value_candidates.hpp"

#include <catch2/catch.hpp>

using Texts = std::vector<std::string>;

TEST_CASE("a kind is completed where it is being typed, and nothing else") {
    CHECK(candidates::before_kind(R"([{"kind":"Re)") == R"([{"kind":)");
    CHECK(candidates::before_kind(R"([{ "kind" : ")") == R"([{ "kind" : )");
    CHECK(candidates::before_kind(R"([{"value":1,"kind":"A)") == R"([{"value":1,"kind":)");
    for (const char* elsewhere :
         {"", "[", R"([{"kind")", R"([{"value":"A)", R"([{"x":"kind":"A)", R"("kind":"A)"})
        CHECK(candidates::before_kind(elsewhere).empty());
}

TEST_CASE("the steps of a config with mistakes are known") {
    CHECK(candidates::step_names(
              R"({"steps": [{"name": "A"}, {"nome": "B"}, {"name": 3}, {"name": "C"},],})") ==
          Texts{"A", "C"});
    for (const char* none : {"", "{", "[]", R"({"steps": 1})"})
        CHECK(candidates::step_names(none).empty());
}

TEST_CASE("parameters are those of the entrypoint's schema, strings without a colon") {
    const std::string begin =
        R"({"entrypoint": "B", "steps": [{"name": "A"}, {"name": "B", "value_schema": )";
    CHECK(
        candidates::parameter_beginnings(
            begin +
            R"({"properties": {"file": {"type": "string"}, "depth": {"type": "integer"}, "any": {}}}}]})") ==
        Texts{"file=", "depth:=", "any:="});
    CHECK(candidates::parameter_beginnings(begin + R"({"type": "object"}}]})").empty());
    CHECK(candidates::parameter_beginnings(R"({"entrypoint": "C", "steps": []})").empty());
    CHECK(candidates::parameter_beginnings("{").empty());
}
