#include "agent_driver/schema.hpp"

#include "agent_driver/prompt.hpp"

#include <catch2/catch.hpp>

using agent_driver::is_strict;
using agent_driver::without_skill_names;
using agent_driver::wrapped_schema;

TEST_CASE("the schema of a response gets an object at its root") {
    CHECK(
        wrapped_schema(R"({"type":"array"})") ==
        R"({"type":"object","additionalProperties":false,"required":["tasks"],"properties":{"tasks":{"type":"array"}}})");
    CHECK(wrapped_schema("true").empty());
    CHECK(wrapped_schema("{").empty());
}

TEST_CASE("references in a response's schema still lead to the same place") {
    std::string wrapped =
        wrapped_schema(R"({"$defs":{"n":{"type":"integer"}},"items":{"anyOf":[{"$ref":"#/$defs/n"},
        {"$ref":"#/items/x"},{"$ref":"#"},{"$ref":"http://x/y#z"}],"x":[]}})");
    CHECK(
        wrapped ==
        R"({"$defs":{"n":{"type":"integer"}},"type":"object","additionalProperties":false,"required":["tasks"],)"
        R"("properties":{"tasks":{"items":{"anyOf":[{"$ref":"#/$defs/n"},{"$ref":"#/properties/tasks/items/x"},)"
        R"({"$ref":"#/properties/tasks"},{"$ref":"http://x/y#z"}],"x":[]}}}})");
}

TEST_CASE("schemas that OpenAI's strict mode takes") {
    const char* strict[] = {
        R"({"type":"integer","minimum":0})",
        R"({"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}},"required":["a"]})",
        R"({"$defs":{"n":{"type":"integer"}},"type":"array","items":{"anyOf":[{"$ref":"#/$defs/n"},{"enum":["x"]}]}})",
    };
    for (const char* schema : strict) {
        INFO(schema);
        CHECK(is_strict(schema));
    }
}

TEST_CASE("schemas that OpenAI's strict mode does not take") {
    const char* loose[] = {
        "true",
        "{}",
        "{",
        R"({"type":"object"})",
        R"({"type":"object","additionalProperties":false})",
        R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})",
        R"({"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}},"required":[]})",
        R"({"type":"object","additionalProperties":false,"properties":{"a":{}},"required":["a"]})",
        R"({"type":"array","items":{"type":"object"}})",
        R"({"oneOf":[{"type":"string"}]})",
        R"({"type":"string","maxLength":3})",
        R"({"anyOf":[]})",
        R"({"type":"array","items":true})",
    };
    for (const char* schema : loose) {
        INFO(schema);
        CHECK(!is_strict(schema));
    }
}

TEST_CASE("names of skills are written as escapes") {
    CHECK(without_skill_names(R"({"a":"$skill $$x ${y} $ 5$ \\$z $"})") ==
          R"({"a":"\u0024skill $\u0024x ${y} $ 5$ \\\u0024z $"})");
    CHECK(without_skill_names("$1 $-a $_b $:c $é") == R"(\u00241 \u0024-a \u0024_b \u0024:c \u0024é)");
}
