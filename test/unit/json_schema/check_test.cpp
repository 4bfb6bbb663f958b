#include "schema_helper.hpp"

using namespace json_schema_test;

TEST_CASE("a value is not looked at by more than 16 schemas, one within the other") {
    auto nested = [](std::size_t count) {
        return repeat("{\"not\":", count - 1) + "true" + repeat("}", count - 1);
    };
    CHECK(violation(nested(16), "1") == "the value matches the schema that \"not\" excludes");
    CHECK(problems(nested(17)) ==
          "the schema applies more than 16 schemas, nested or by $ref, to the same value; that is too deep "
          "to be checked\n");
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

TEST_CASE("a keyword that would be ignored is refused") {
    CHECK(problems(R"({"requird": ["a"], "definitions": {"x": {"tpye": "string"}}})") ==
          "unknown keyword \"requird\"; did you mean \"required\"?\n"
          "unknown keyword \"tpye\" at /definitions/x; did you mean \"type\"?\n");
}

TEST_CASE("annotations are fine") {
    CHECK(problems(R"({"id": "A", "properties": {"a": {"id": "B", "discriminator": {"propertyName": "k"}}},
                      "contentEncoding": "base64", "contentMediaType": "text/plain", "contentSchema": {}})")
              .empty());
    CHECK(problems(R"({"$id": "http://x/y", "$comment": "c", "title": "t", "description": "d", "default": 1,
                      "examples": [1],
                      "readOnly": true, "writeOnly": false, "deprecated": true, "$defs": {}})")
              .empty());
}

TEST_CASE("a reference that cannot be followed is refused") {
    CHECK_THAT(problems(R"({"items": {"$ref": "http://x/y#/a"}})"),
               Catch::StartsWith("cannot follow $ref \"http://x/y#/a\""));
    CHECK_THAT(problems(R"({"items": {"$ref": "other.json"}})"), Catch::StartsWith("cannot follow $ref"));
    CHECK_THAT(problems(R"({"$ref": "http://json-schema.org/draft-07/schema#/definitions/x"})"),
               Catch::Contains("does not point to a schema"));
    CHECK(problems(R"({"items": {"$ref": "#/definitions/a"}})") ==
          "$ref \"#/definitions/a\" does not point to a schema\n");
    CHECK(problems(R"({"items": {"$ref": "#/definitions"}, "definitions": {}})") ==
          "$ref \"#/definitions\" does not point to a schema\n");
    CHECK(problems(R"({"items": {"$ref": "#anchor"}})") == "$ref \"#anchor\" does not point to a schema\n");
    CHECK_THAT(problems(R"({"items": {"$id": "http://x/y"}})"), Catch::Contains("only allowed at the root"));
}

TEST_CASE("a schema that would never end is refused") {
    for (auto schema : {R"({"$ref": "#"})", R"({"allOf": [{"$ref": "#"}]})",
                        R"({"dependentSchemas": {"a": {"$ref": "#"}}})",
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
    CHECK_THAT(problems(R"({"pattern": "("})"),
               Catch::StartsWith("/pattern is not a valid regular expression"));
    CHECK_THAT(problems(R"({"patternProperties": {"(": {}}})"),
               Catch::StartsWith("/patternProperties has \"(\""));
    CHECK(problems(R"({"type": "string", "type": "null"})") == "\"type\" occurs twice\n");
    CHECK(problems("[]") == "a schema must be an object or a boolean\n");
}

TEST_CASE("the text of a schema is kept as it was written, without comments") {
    CHECK(compiled("{ // c\n \"minimum\": 1.0, \"default\": 1e400, }")->text() ==
          R"({"minimum":1.0,"default":1e400})");
}
