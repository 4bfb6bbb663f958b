#include "json_schema/embed.hpp"

#include "schema_helper.hpp"

using namespace json_schema_test;
using json_schema::embedded;

namespace {

std::string moved(std::string_view schema) {
    auto text = embedded(view(schema), "/properties/a");
    REQUIRE(text);
    return *text;
}

// Whether the schema has the same meaning for the value where it was moved to.
void check_same(const std::string& schema, const std::string& value) {
    INFO(schema << " " << value);
    std::string whole = R"({"properties":{"a":)" + moved(schema) + "}}";
    CHECK(violation(schema, value).empty() == violation(whole, R"({"a":)" + value + "}").empty());
}

}  // namespace

TEST_CASE("a schema that is moved keeps what it says, and its order") {
    CHECK(moved(R"( {"type": "string", /* a */ "maxLength": 2.0, "enum": ["a"] } )") ==
          R"({"type":"string","maxLength":2.0,"enum":["a"]})");
    CHECK(moved("{}") == "{}");
    CHECK(moved("true") == "true");
    CHECK(moved(R"({"anyOf":[{},{"enum":[[],{}]}]})") == R"({"anyOf":[{},{"enum":[[],{}]}]})");
}

TEST_CASE("the references of a schema that is moved lead to the same places") {
    CHECK(moved(R"({"items":{"$ref":"#"}})") == R"({"items":{"$ref":"#/properties/a"}})");
    CHECK(moved(R"({"$ref":"#/$defs/x","$defs":{"x":{}}})") ==
          R"({"$ref":"#/properties/a/$defs/x","$defs":{"x":{}}})");
    CHECK(moved(R"({"$ref":"#/$defs/x%20%7E1","$defs":{"x /":{}}})") ==
          R"({"$ref":"#/properties/a/$defs/x%20~1","$defs":{"x /":{}}})");
    for (const char* value : {"1", "[]", "[[1]]", "[[[]]]", "\"x\"", "{\"b\":[]}", "{\"b\":1}"}) {
        check_same(R"({"type":"array","items":{"$ref":"#"}})", value);
        check_same(
            R"({"anyOf":[{"$ref":"#/definitions/ü"},{"type":"string"}],"definitions":{"ü":{"type":"array"}}})",
            value);
        check_same(R"({"properties":{"b":{"$ref":"#one"}},"$defs":{"x":{"$anchor":"one","type":"integer"}}})",
                   value);
    }
}

TEST_CASE(
    "a schema that is moved loses its draft, its ids and its anchors, but no value that looks like one") {
    CHECK(moved(R"({"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://x/y","id":"z",)"
                R"("$anchor":"w","type":"string"})") == R"({"type":"string"})");
    CHECK(moved(R"({"properties":{"id":{"type":"string"},"$ref":{}},"const":{"$id":"1","$ref":"#"}})") ==
          R"({"properties":{"id":{"type":"string"},"$ref":{}},"const":{"$id":"1","$ref":"#"}})");
}

TEST_CASE("a schema that would mean something else elsewhere is not moved") {
    for (const char* schema :
         {R"({"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true})",
          R"({"$ref":"http://json-schema.org/draft-07/schema#"})", R"({"$ref":"#/nowhere"})",
          R"({"unknown":1})"}) {
        INFO(schema);
        CHECK_FALSE(embedded(view(schema), ""));
    }
    CHECK(moved(R"({"$schema":"http://json-schema.org/draft-04/schema#","minimum":1})") ==
          R"({"minimum":1})");
}
