#include "schema_helper.hpp"

using namespace json_schema_test;

namespace {

const std::string draft7 = R"({"$schema": "http://json-schema.org/draft-07/schema#", )";
const std::string draft2019 = R"({"$schema": "https://json-schema.org/draft/2019-09/schema", )";
const std::string draft2020 = R"({"$schema": "https://json-schema.org/draft/2020-12/schema", )";
const std::string unnamed = "{";

}  // namespace

TEST_CASE("a draft that is not supported is refused") {
    CHECK(problems(R"({"$schema": "https://json-schema.org/draft/2021-01/schema"})") ==
          "$schema is \"https://json-schema.org/draft/2021-01/schema\"; only draft-04, draft-06, draft-07, "
          "2019-09 "
          "and 2020-12 are supported (\"https://json-schema.org/draft/2020-12/schema\")\n");
    CHECK_FALSE(problems(R"({"$schema": "json-schema.org/draft-07/schema"})").empty());
    for (auto uri : {"http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-06/schema#",
                     "http://json-schema.org/draft/2020-12/schema#"})
        CHECK(problems(std::string("{\"$schema\": \"") + uri + "\"}").empty());
}

TEST_CASE("each draft has its own keywords") {
    const std::string draft4 = R"({"$schema": "http://json-schema.org/draft-04/schema#", )";
    const std::string draft6 = R"({"$schema": "http://json-schema.org/draft-06/schema#", )";
    CHECK(violation(draft4 + R"("minimum": 5, "exclusiveMinimum": true})", "5") == "expected more than 5");
    CHECK(fits(draft4 + R"("minimum": 5, "exclusiveMinimum": false})", "5"));
    CHECK(problems(draft4 + R"("exclusiveMinimum": 5})") ==
          "/exclusiveMinimum must be true or false in draft-04\n");
    CHECK(problems(draft4 + R"("const": 5})") == "the keyword \"const\" is not one of draft-04\n");
    CHECK(problems(draft4 + R"("properties": {"a": true}})") ==
          "a schema must be an object in draft-04, not a boolean at /properties/a\n");
    CHECK(problems(draft4 + R"("id": "x", "additionalProperties": false})").empty());
    CHECK(problems(draft6 + R"("const": 5})").empty());
    CHECK(problems(draft6 + R"("if": {}})") == "the keyword \"if\" is not one of draft-06\n");
    CHECK(problems(draft7 + R"("prefixItems": [{}]})") ==
          "the keyword \"prefixItems\" is not one of draft-07\n");
    CHECK(problems(draft2019 + R"("prefixItems": [{}]})") ==
          "the keyword \"prefixItems\" is not one of 2019-09\n");
    CHECK(problems(draft2020 + R"("additionalItems": {}})") ==
          "the keyword \"additionalItems\" is not one of 2020-12\n");
    CHECK(problems(R"({"exclusiveMinimum": true})") == "/exclusiveMinimum must be a number\n");
}

TEST_CASE("the first items have schemas of their own, however the draft says so") {
    const std::string tuples[] = {
        draft7 + R"("items": [{"type": "string"}, true], "additionalItems": {"type": "null"}})",
        draft2019 + R"("items": [{"type": "string"}, true], "additionalItems": {"type": "null"}})",
        draft2020 + R"("prefixItems": [{"type": "string"}, true], "items": {"type": "null"}})",
        unnamed + R"("prefixItems": [{"type": "string"}, true], "items": {"type": "null"}})",
        unnamed + R"("items": [{"type": "string"}, true], "additionalItems": {"type": "null"}})"};
    for (const std::string& tuple : tuples) {
        INFO(tuple);
        CHECK(fits(tuple, R"(["a", 1, null, null])"));
        CHECK(fits(tuple, "[]"));
        CHECK(violation(tuple, "[1]") == "at /0: expected string, found an integer");
        CHECK(violation(tuple, R"(["a", 1, null, 2])") == "at /3: expected null, found an integer");
    }
    CHECK(fits(draft2020 + R"("prefixItems": [{}]})", "[1, 2]"));
    CHECK(violation(draft2020 + R"("prefixItems": [{}], "items": false})", "[1, 2]") ==
          "more items than allowed");
    CHECK(fits(draft2020 + R"("items": {"type": "integer"}})", "[1, 2]"));
    CHECK(violation(draft2020 + R"("items": false})", "[1]") != "");
}

TEST_CASE("a tuple is written in one of two ways only") {
    CHECK(problems(draft2020 + R"("items": [{}]})") ==
          "/items must be one schema in 2020-12, where an array of schemas is \"prefixItems\"\n");
    CHECK_THAT(problems(R"({"prefixItems": [{}], "additionalItems": false})"),
               Catch::StartsWith("the keyword \"additionalItems\" has no effect next to \"prefixItems\""));
    CHECK_THAT(problems(R"({"prefixItems": [{}], "items": [{}]})"),
               Catch::StartsWith("the keyword \"items\" has no effect next to \"prefixItems\""));
}

TEST_CASE("members depend on each other in two words since 2019-09") {
    for (const std::string& draft : {draft2019, draft2020, unnamed}) {
        const std::string schema = draft + R"("dependentRequired": {"a": ["b"], "d": ["e"]},
            "dependentSchemas": {"a": {"properties": {"c": {"type": "null"}}}}, "dependencies": {"x": ["a"]}})";
        INFO(schema);
        CHECK(fits(schema, R"({"a": 1, "b": 2, "c": null})"));
        CHECK(violation(schema, R"({"a": 1})") == "missing member \"b\"");
        CHECK(violation(schema, R"({"d": 1})") == "missing member \"e\"");
        CHECK(violation(schema, R"({"a": 1, "b": 2, "c": 3})") == "at /c: expected null, found an integer");
        CHECK(violation(schema, R"({"x": 1})") == "missing member \"a\"");
    }
    CHECK(problems(draft2019 + R"("dependentRequired": {"a": {}}})") ==
          "/dependentRequired must have an array of strings for \"a\"\n");
    CHECK(problems(draft2019 + R"("dependentSchemas": {"a": []}})") ==
          "a schema must be an object or a boolean at /dependentSchemas/a\n");
}

TEST_CASE("keywords next to a $ref count since 2019-09, and without $schema") {
    constexpr auto rest =
        R"("items": {"$ref": "#/$defs/a", "maximum": 5}, "$defs": {"a": {"type": "integer"}}})";
    for (const std::string& draft : {draft2019, draft2020, unnamed}) {
        CHECK(fits(draft + rest, "[5]"));
        CHECK(violation(draft + rest, "[6]") == "at /0: expected 5 or less");
        CHECK(violation(draft + rest, "[4.5]") == "at /0: expected integer, found a number");
    }
    CHECK(problems(draft7 + rest) ==
          "the keyword \"maximum\" at /items has no effect next to $ref in draft-07; put the two into an "
          "\"allOf\"\n");
    constexpr auto with_all =
        R"({"$ref": "#/$defs/a", "allOf": [{"maximum": 5}], "$defs": {"a": {"minimum": 1}}})";
    CHECK(fits(with_all, "3"));
    CHECK_FALSE(fits(with_all, "0"));
    CHECK_FALSE(fits(with_all, "6"));
}

TEST_CASE("an anchor is a name for a schema") {
    constexpr auto rest =
        R"("items": {"$ref": "#text"}, "$defs": {"a": {"$anchor": "text", "type": "string"}}})";
    for (const std::string& draft : {draft2019, draft2020, unnamed})
        CHECK(violation(draft + rest, "[1]") == "at /0: expected string, found an integer");
    CHECK(problems(draft7 + rest).find("\"$anchor\" at /$defs/a is not one of draft-07") !=
          std::string::npos);
    CHECK(problems(R"({"$ref": "#nowhere"})") == "$ref \"#nowhere\" does not point to a schema\n");
    CHECK(problems(R"({"items": {"$anchor": "a"}, "not": {"$anchor": "a"}})") ==
          "/not/$anchor is \"a\", which is another schema's anchor already\n");
    CHECK_THAT(problems(R"({"$anchor": "1a"})"), Catch::StartsWith("/$anchor must be a name"));
    CHECK(problems(R"({"$anchor": "a", "items": {"$ref": "http://json-schema.org/draft-07/schema#a"}})") ==
          "$ref \"http://json-schema.org/draft-07/schema#a\" does not point to a schema\n");
}

TEST_CASE("a schema may be asked for by its draft's own meta-schema") {
    const std::string uris[] = {
        "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema"};
    for (const std::string& uri : uris) {
        const std::string ref = R"("properties": {"s": {"$ref": ")" + uri + "\"}}}";
        for (const std::string& schema : {R"({"$schema": ")" + uri + "\", " + ref, "{" + ref}) {
            INFO(schema);
            CHECK(fits(schema, R"({"s": {"type": ["string", "null"], "minLength": 2.0, "x": 1}})"));
            CHECK(fits(schema,
                       R"({"s": {"properties": {"type": {"type": "integer"}}, "required": ["type"]}})"));
            CHECK_FALSE(fits(schema, R"({"s": {"type": "strng"}})"));
            CHECK_FALSE(fits(schema, R"({"s": {"properties": {"a": {"minLength": -1}}}})"));
            CHECK_FALSE(fits(schema, R"({"s": {"pattern": "("}})"));
            CHECK_FALSE(fits(schema, R"({"s": 1})"));
            CHECK(fits(schema, R"({"s": true})") == (uri != uris[0]));
        }
    }
    auto found =
        compiled(R"({"$ref": "http://json-schema.org/draft-07/schema"})")->violation(view(R"({"title": 1})"));
    REQUIRE(found);
    CHECK(json_schema::to_string(*found) ==
          "at /title: expected string, found an integer (schema: "
          "http://json-schema.org/draft-07/schema#/properties/title/type)");
    CHECK_THAT(problems(draft7 + R"("$ref": "https://json-schema.org/draft/2020-12/schema"})"),
               Catch::StartsWith("cannot follow $ref"));
}

TEST_CASE("whole numbers in a schema may have a point") {
    CHECK(violation(R"({"minLength": 2.0})", "\"a\"") == "expected at least 2 characters, found 1");
    CHECK(violation(R"({"maxItems": 1e0})", "[1, 2]") == "expected at most 1 item, found 2");
    CHECK(problems(R"({"minLength": 2.5})") == "/minLength must be a whole number, not negative\n");
    CHECK(problems(R"({"minLength": -1.0})") == "/minLength must be a whole number, not negative\n");
}

TEST_CASE("what draft-07 cannot say is refused, with its place and what to do") {
    CHECK(problems(draft2019 + R"("items": {"minContains": 1}})") ==
          "the keyword \"minContains\" at /items is not supported: use \"contains\" alone, which requires "
          "one item\n");
    CHECK(problems(draft2020 + R"("$dynamicRef": "#a"})") ==
          "the keyword \"$dynamicRef\" is not supported: use \"$ref\"\n");
    CHECK(problems(draft2020 + R"("allOf": [{"unevaluatedProperties": false}]})") ==
          "the keyword \"unevaluatedProperties\" at /allOf/0 is not supported: list all members in the "
          "\"properties\" of one schema and use \"additionalProperties\" there\n");
    for (auto keyword : {"unevaluatedItems", "$recursiveRef", "$vocabulary", "maxContains", "$dynamicAnchor",
                         "$recursiveAnchor", "divisibleBy", "disallow", "extends"})
        CHECK_THAT(problems(std::string("{\"") + keyword + "\": {}}"), Catch::Contains("is not supported: "));
}
