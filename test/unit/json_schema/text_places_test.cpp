// Where values of a schema can have a text, or an array of texts.
#include "json_schema/text_places.hpp"

#include "json_schema/pointer.hpp"
#include "schema_helper.hpp"

namespace {

using namespace json_schema_test;

// The keyword that excludes texts at the pointer; "" if they may be there.
std::string excluded(std::string_view schema, std::string_view pointer) {
    auto found = json_schema::excludes_texts(*compiled(schema), *json_schema::pointer_tokens(pointer));
    return found.value_or("");
}

constexpr auto closed =
    R"({"type":"object","properties":{"a":{"type":["null","string"]},"b":{"type":"integer"},)"
    R"("c":{"properties":{"d":true}},"e":false},"patternProperties":{"^x":{"type":"array"}},)"
    R"("additionalProperties":false})";

}  // namespace

TEST_CASE("a member may have a text unless its schema excludes it") {
    CHECK(excluded(closed, "/a").empty());
    CHECK(excluded(closed, "/b") == "/properties/b/type");
    CHECK(excluded(closed, "/c").empty());
    CHECK(excluded(closed, "/c/d/whatever").empty());
    CHECK(excluded(closed, "/a/b") == "/properties/a/type");
    CHECK(excluded(closed, "/e") == "/properties/e");
    CHECK(excluded(closed, "/x1").empty());
    CHECK(excluded(closed, "/f") == "/additionalProperties");
    CHECK(excluded(closed, "") == "/type");
    CHECK(excluded("{}", "/f/0/g").empty());
    CHECK(excluded(R"({"additionalProperties":{"type":"number"}})", "/f") == "/additionalProperties/type");
}

TEST_CASE("an array must be able to have strings") {
    CHECK(excluded(R"({"type":"array","items":{"type":"string"}})", "").empty());
    CHECK(excluded(R"({"type":"array"})", "").empty());
    CHECK(excluded(R"({"type":"array","items":{"type":"integer"}})", "") == "/items/type");
    CHECK(excluded(R"({"type":"array","items":{"type":"array"}})", "") == "/items/type");
    CHECK(excluded(R"({"type":["array","string"],"items":{"type":"integer"}})", "").empty());
    CHECK(excluded(R"({"type":"array","items":{"type":"array"}})", "/0").empty());
    CHECK(excluded(R"({"type":"array","maxItems":1})", "/1") == "/maxItems");
    CHECK(excluded(R"({"type":"array","maxItems":1})", "/0").empty());
    CHECK(excluded(R"({"type":"array"})", "/01") == "/type");
    CHECK(excluded(R"({"type":"array","prefixItems":[true],"items":{"type":"null"}})", "/1") ==
          "/items/type");
    CHECK(excluded(R"({"properties":{"0":false},"items":false})", "/0") == "/properties/0");
    CHECK(excluded(R"({"properties":{"0":false}})", "/0").empty());
}

TEST_CASE("references, parts and alternatives are followed") {
    constexpr auto node =
        R"({"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"},)"
        R"("t":{"type":"string"},"l":{"$ref":"#/$defs/l"}},"additionalProperties":false},)"
        R"("l":{"type":"array","items":{"$ref":"#/$defs/l"}}}})";
    CHECK(excluded(node, "/n/n/t").empty());
    CHECK(excluded(node, "/n/n/u") == "/$defs/n/additionalProperties");
    CHECK(excluded(node, "/l") == "/$defs/l/type");
    CHECK(excluded(node, "/l/0/0") == "/$defs/l/type");
    CHECK(excluded(R"({"allOf":[{},{"type":"null"}]})", "") == "/allOf/1/type");
    CHECK(excluded(R"({"anyOf":[{"type":"null"},{"type":"string"}]})", "").empty());
    CHECK(excluded(R"({"oneOf":[{"type":"null"},{"type":"number"}]})", "") == "/oneOf");
}

TEST_CASE("of values that are listed, one must have a text there") {
    CHECK(excluded(R"({"const":{"a":"b"}})", "/a").empty());
    CHECK(excluded(R"({"const":{"a":["b",1]}})", "/a") == "/const");
    CHECK(excluded(R"({"enum":[1,{"a":[]}]})", "/a").empty());
    CHECK(excluded(R"({"enum":[1,{"a":2}]})", "/a") == "/enum");
    CHECK(excluded(R"({"type":"array","items":{"enum":[["a"]]}})", "") == "/items/enum");
}
