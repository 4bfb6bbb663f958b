#include "json_schema/meta_schema.hpp"

#include "base/text.hpp"
#include "json_schema/keywords.hpp"

#include <map>
#include <string>

namespace json_schema {

namespace {

constexpr std::string_view a_schema = R"({"$ref":"#"})";
constexpr std::string_view strings = R"({"type":"array","items":{"type":"string"}})";
constexpr std::string_view type_name =
    R"({"enum":["null","boolean","object","array","number","string","integer"]})";

std::string array_of(std::string_view items) {
    return base::concat(R"({"type":"array","minItems":1,"items":)", items, "}");
}

std::string map_of(std::string_view members) {
    return base::concat(R"({"type":"object","additionalProperties":)", members, "}");
}

std::string either(std::string_view one, std::string_view other) {
    return base::concat(R"({"anyOf":[)", one, ",", other, "]}");
}

// A schema for values of that shape.
std::string schema_of(Shape shape, Draft draft) {
    switch (shape) {
        case Shape::anything:
            return "{}";
        case Shape::string:
        case Shape::anchor:
        case Shape::reference:
            return R"({"type":"string"})";
        case Shape::pattern:
            return R"({"type":"string","format":"regex"})";
        case Shape::boolean:
            return R"({"type":"boolean"})";
        case Shape::number:
            return R"({"type":"number"})";
        case Shape::exclusive_limit:
            return draft == Draft::draft4 ? R"({"type":"boolean"})" : R"({"type":"number"})";
        case Shape::positive_number:
            return R"({"type":"number","exclusiveMinimum":0})";
        case Shape::count:
            return R"({"type":"integer","minimum":0})";
        case Shape::strings:
            return std::string(strings);
        case Shape::string_lists:
            return map_of(strings);
        case Shape::types:
            return either(type_name, array_of(type_name));
        case Shape::nonempty_array:
            return array_of("{}");
        case Shape::schema:
            return std::string(a_schema);
        case Shape::schema_or_boolean:
            return either(a_schema, R"({"type":"boolean"})");
        case Shape::schemas:
            return array_of(a_schema);
        case Shape::schema_map:
        case Shape::pattern_map:
            return map_of(a_schema);
        case Shape::items:
            return draft == Draft::draft2020 ? std::string(a_schema) : either(a_schema, array_of(a_schema));
        case Shape::dependencies:
            return map_of(either(a_schema, strings));
    }
    return "{}";
}

std::string text_for(Draft draft) {
    std::string properties;
    for (const Keyword& keyword : keywords())
        if (keyword.in(draft))
            properties += base::concat(properties.empty() ? "" : ",", json::quote(keyword.name), ":",
                                       schema_of(keyword.shape, draft));
    std::string_view types = draft == Draft::draft4 ? R"("object")" : R"(["object","boolean"])";
    return base::concat(R"({"type":)", types, R"(,"properties":{)", properties, "}}");
}

}  // namespace

json::View meta_schema(Draft draft) {
    static const std::map<Draft, std::string> texts = [] {
        std::map<Draft, std::string> all;
        for (Draft each : {Draft::draft4, Draft::draft6, Draft::draft7, Draft::draft2019, Draft::draft2020})
            all.emplace(each, text_for(each));
        return all;
    }();
    return json::View::of(texts.at(draft));
}

}  // namespace json_schema
