#include "schema_helper.hpp"

using namespace json_schema_test;

TEST_CASE("a value is not looked at by more than 16 schemas, one within the other") {
    auto nested = [](std::size_t count) {
        return repeat("{\"not\":", count - 1) + "true" + repeat("}", count - 1);
    };
    CHECK(violation(nested(16), "1") == "this is what \"not\" rules out");
    CHECK(problems(nested(17)) ==
          "the schema applies more than 16 schemas, one within the other or by $ref, to the same value: that "
          "is "
          "too deep to be checked\n");
    CHECK_THAT(problems(nested(500)), Catch::Contains("too deep to be checked"));
    // Each level of the value begins anew.
    CHECK(problems(repeat("{\"items\":", 200) + "true" + repeat("}", 200)).empty());
}

TEST_CASE("a chain of references is as bounded as one of nested schemas") {
    std::string definitions;
    for (int i = 40; i > 0; --i)
        definitions +=
            "\"" + std::to_string(i) + R"(": {"$ref": "#/definitions/)" + std::to_string(i - 1) + "\"},";
    definitions += R"("0": {})";
    auto refers_to = [&](int first) {
        return R"({"items": {"$ref": "#/definitions/)" + std::to_string(first) + R"("}, "definitions": {)" +
               definitions + "}}";
    };
    CHECK_THAT(problems(refers_to(0)), Catch::Contains("too deep to be checked"));
    definitions = definitions.substr(definitions.find("\"14\""));
    CHECK(problems(refers_to(14)).empty());
    CHECK(fits(refers_to(14), "[1]"));
}

TEST_CASE("a draft that is not supported is refused") {
    CHECK(problems(R"({"$schema": "https://json-schema.org/draft/2020-12/schema"})") ==
          "$schema is \"https://json-schema.org/draft/2020-12/schema\"; only draft-04, draft-06 and draft-07 "
          "are "
          "supported (\"http://json-schema.org/draft-07/schema#\")\n");
    CHECK(problems(R"({"$schema": "http://json-schema.org/draft-07/schema"})").empty());
    CHECK(problems(R"({"$schema": "https://json-schema.org/draft-06/schema#"})").empty());
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
    CHECK(problems(R"({"exclusiveMinimum": true})") == "/exclusiveMinimum must be a number\n");
}

TEST_CASE("a keyword that would be ignored is refused") {
    CHECK(problems(R"({"items": {"minContains": 1}})") ==
          "the keyword \"minContains\" at /items cannot be checked: it is not one of draft-04, draft-06 or "
          "draft-07\n");
    for (auto keyword :
         {"unevaluatedProperties", "dependentRequired", "prefixItems", "$dynamicRef", "contentEncoding"}) {
        CHECK_THAT(problems(std::string("{\"") + keyword + "\": {}}"), Catch::Contains("cannot be checked"));
    }
    CHECK(problems(R"({"requird": ["a"], "definitions": {"x": {"tpye": "string"}}})") ==
          "unknown keyword \"requird\"; did you mean \"required\"?\n"
          "unknown keyword \"tpye\" at /definitions/x; did you mean \"type\"?\n");
    CHECK(problems(R"({"format": "email"})") ==
          "/format is \"email\", which is not checked; only \"date\", \"time\" or \"date-time\" are (a "
          "\"pattern\" may "
          "do)\n");
    CHECK(problems(R"({"items": {"$ref": "#/definitions/a", "type": "string"}, "definitions": {"a": {}}})") ==
          "the keyword \"type\" at /items has no effect next to $ref; put the two into an \"allOf\"\n");
}

TEST_CASE("annotations are fine") {
    CHECK(problems(R"({"$id": "http://x/y", "$comment": "c", "title": "t", "description": "d", "default": 1,
                      "examples": [1],
                      "readOnly": true, "writeOnly": false, "deprecated": true, "$defs": {}})")
              .empty());
}

TEST_CASE("a reference that cannot be followed is refused") {
    CHECK_THAT(problems(R"({"items": {"$ref": "http://x/y#/a"}})"),
               Catch::StartsWith("cannot follow $ref \"http://x/y#/a\""));
    CHECK_THAT(problems(R"({"items": {"$ref": "other.json"}})"), Catch::StartsWith("cannot follow $ref"));
    CHECK(problems(R"({"items": {"$ref": "#/definitions/a"}})") ==
          "$ref \"#/definitions/a\" does not point to a schema\n");
    CHECK(problems(R"({"items": {"$ref": "#/definitions"}, "definitions": {}})") ==
          "$ref \"#/definitions\" does not point to a schema\n");
    CHECK(problems(R"({"items": {"$ref": "#anchor"}})") == "$ref \"#anchor\" does not point to a schema\n");
    CHECK_THAT(problems(R"({"items": {"$id": "http://x/y"}})"), Catch::Contains("only stand at the root"));
}

TEST_CASE("a schema that would never end is refused") {
    for (auto schema : {R"({"$ref": "#"})", R"({"allOf": [{"$ref": "#"}]})",
                        R"({"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/b"},
                  "b": {"anyOf": [{"$ref": "#/definitions/a"}]}}})"}) {
        CHECK_THAT(problems(schema), Catch::Contains("it would never end"));
    }
}

TEST_CASE("a keyword's value has its shape") {
    CHECK(problems(R"({"type": "strng"})") ==
          "/type is \"strng\", but must be \"null\", \"boolean\", \"object\", \"array\", \"number\", "
          "\"string\" or "
          "\"integer\"; did you mean \"string\"?\n");
    CHECK(problems(R"({"required": "a"})") == "/required must be an array of strings\n");
    CHECK(problems(R"({"minLength": "5"})") == "/minLength must be a whole number, not negative\n");
    CHECK(problems(R"({"multipleOf": 0})") == "/multipleOf must be a number greater than 0\n");
    CHECK(problems(R"({"properties": []})") == "/properties must be an object\n");
    CHECK(problems(R"({"items": {"enum": []}})") == "/items/enum must not be empty\n");
    CHECK(problems(R"({"additionalProperties": "no"})") ==
          "a schema must be an object or a boolean at /additionalProperties\n");
    CHECK(problems(R"({"allOf": [5]})") == "a schema must be an object or a boolean at /allOf/0\n");
    CHECK_THAT(problems(R"({"pattern": "("})"), Catch::StartsWith("/pattern is no valid regular expression"));
    CHECK_THAT(problems(R"({"patternProperties": {"(": {}}})"),
               Catch::StartsWith("/patternProperties has \"(\""));
    CHECK(problems(R"({"type": "string", "type": "null"})") == "\"type\" stands twice\n");
    CHECK(problems("[]") == "a schema must be an object or a boolean\n");
}

TEST_CASE("the text of a schema is kept as it was written, without comments") {
    CHECK(compiled("{ // c\n \"minimum\": 1.0, \"default\": 1e400, }")->text() ==
          R"({"minimum":1.0,"default":1e400})");
}
