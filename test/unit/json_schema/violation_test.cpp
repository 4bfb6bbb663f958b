#include "schema_helper.hpp"

using namespace json_schema_test;

namespace {

// The pointer into the schema.
std::string broken(std::string_view schema, std::string_view value) {
    auto found = compiled(schema)->violation(view(value));
    REQUIRE(found);
    return found->schema_pointer;
}

}  // namespace

TEST_CASE("a violation names the keyword that is not satisfied") {
    CHECK(broken(R"({"type": "string"})", "1") == "/type");
    CHECK(broken(R"({"properties": {"a/b": {"items": {"minimum": 3}}}})", R"({"a/b": [4, 1]})") ==
          "/properties/a~1b/items/minimum");
    CHECK(broken(R"({"required": ["a"]})", "{}") == "/required");
    CHECK(broken(R"({"items": {"maxProperties": 1}})", R"([{"a": 1, "b": 2}])") == "/items/maxProperties");
    CHECK(broken(R"({"$ref": "#/definitions/n", "definitions": {"n": {"type": "null"}}})", "1") ==
          "/definitions/n/type");
    CHECK(broken(R"({"prefixItems": [{}], "items": {"type": "null"}})", "[1, 2]") == "/items/type");
    CHECK(broken(R"({"$ref": "#/$defs/n", "maximum": 1, "$defs": {"n": {"type": "integer"}}})", "2") ==
          "/maximum");
    CHECK(broken(R"({"allOf": [{}, {"enum": [1]}]})", "2") == "/allOf/1/enum");
}

TEST_CASE("a member that is one too many is traced to its schema where only one can be meant") {
    CHECK(broken(R"({"properties": {"a": {"additionalProperties": false}}})", R"({"a": {"b": 1}})") ==
          "/properties/a/additionalProperties");
    CHECK(broken(R"({"allOf": [{"properties": {}, "additionalProperties": false}],
                    "additionalProperties": {}})",
                 R"({"b": 1})")
              .empty());
}

TEST_CASE("an item that is one too many is traced to its schema") {
    CHECK(broken(R"({"items": [{}], "additionalItems": false})", "[1, 2]") == "/additionalItems");
    CHECK(broken(R"({"properties": {"a": {"prefixItems": [{}], "items": false}}})", R"({"a": [1, 2]})") ==
          "/properties/a/items");
    CHECK(broken(R"({"prefixItems": [{"additionalProperties": false}], "items": {}})", R"([{"b": 1}])") ==
          "/prefixItems/0/additionalProperties");
}

TEST_CASE("a violation is one line with both pointers") {
    auto found = compiled(R"({"properties": {"a": {"type": "string"}}})")->violation(view("{\"a\": 1}"));
    REQUIRE(found);
    CHECK(found->path == std::vector<std::string>{"a"});
    CHECK(json_schema::to_string(*found) ==
          "at /a: expected string, found an integer (schema: /properties/a/type)");
}

TEST_CASE("a violation is one line whatever names are in it") {
    auto found = compiled(R"({"properties": {"a\n\u0001": {"type": "string"}}})")
                     ->violation(view(R"({"a\n\u0001": 1})"));
    REQUIRE(found);
    CHECK(json_schema::to_string(*found) ==
          R"(at /a\n\u0001: expected string, found an integer (schema: /properties/a\n\u0001/type))");
}
