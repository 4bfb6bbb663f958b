#include "config/schema_document.hpp"

#include "base/labels.hpp"
#include "base/plain_number.hpp"
#include "base/text.hpp"
#include "config/fields.hpp"
#include "json/json.hpp"

namespace config {

namespace {

std::string reference(const ObjectType& type) {
    return base::concat(R"({"$ref":"#/definitions/)", type.id, "\"}");
}

std::string joined(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts)
        out.append(out.empty() ? "" : ",").append(part);
    return out;
}

// The schemas of the objects that the field allows, and `others`, as alternatives.
std::string alternatives(const Field& field, std::vector<std::string> others) {
    for (const ObjectType* type : field.constraints.objects)
        others.push_back(reference(*type));
    return base::concat("\"anyOf\":[", joined(others), "]");
}

std::string objects(const Field& field) {
    if (field.constraints.objects.size() == 1)
        return base::concat("\"allOf\":[", reference(*field.constraints.objects[0]), "]");
    return alternatives(field, {});
}

std::string limit(std::string_view keyword, double number) {
    return base::concat(",\"", keyword, "\":", base::plain_number(number));
}

std::string number_members(const Field& field) {
    if (!field.constraints.range) return R"("type":"number")";
    const Range& range = *field.constraints.range;
    return base::concat("\"type\":", range.whole ? "\"integer\"" : "\"number\"",
                        limit("minimum", range.least), limit("maximum", range.most));
}

std::string text_members(const Field& field) {
    if (!field.constraints.choices.empty()) {
        std::vector<std::string> choices;
        for (std::string_view choice : field.constraints.choices)
            choices.push_back(json::quote(choice));
        return base::concat(R"("enum":[)", joined(choices), "]");
    }
    if (!field.constraints.constant.empty())
        return base::concat("\"const\":", json::quote(field.constraints.constant));
    if (field.constraints.pattern.empty()) return R"("type":"string")";
    return base::concat(R"("type":"string","pattern":)", json::quote(field.constraints.pattern));
}

// The keywords that describe the field's value.
std::string content(const Field& field) {
    switch (field.type) {
        case FieldType::text:
            return text_members(field);
        case FieldType::boolean:
            return R"("type":"boolean")";
        case FieldType::number:
            return number_members(field);
        case FieldType::object:
            return objects(field);
        case FieldType::array:
            return base::concat(R"("type":"array",)", field.required ? R"("minItems":1,)" : "",
                                "\"items\":", reference(*field.constraints.objects[0]));
        case FieldType::names:
            return R"("type":"array","items":{"type":"string"},"uniqueItems":true)";
        case FieldType::labels:
            return base::concat(R"("type":"array","items":{)", text_members(field),
                                R"(},"uniqueItems":true,"maxItems":)", base::Labels::max_count);
        case FieldType::texts:
            return base::concat(R"("type":"array","items":{)", text_members(field), "}");
        case FieldType::variables:
            return R"("type":"object","additionalProperties":{"type":"string"})";
        case FieldType::variables_and_names:
            return R"("type":"object","additionalProperties":{"type":["string","null"]})";
        case FieldType::schema:
            return alternatives(field, {R"({"type":["object","boolean"]})"});
        case FieldType::instructions:
            break;
    }
    return alternatives(field, {R"({"type":"string"})"});
}

// The members of an object's schema, without its braces.
std::string object_schema(const ObjectType& type) {
    std::vector<std::string> properties;
    std::vector<std::string> required;
    for (const Field& field : type.fields) {
        properties.push_back(base::concat(json::quote(field.name), ":{\"description\":",
                                          json::quote(field.description), ",", content(field), "}"));
        if (field.required) required.push_back(json::quote(field.name));
    }
    std::string needs = required.empty() ? "" : base::concat("\"required\":[", joined(required), "],");
    return base::concat("\"description\":", json::quote(type.description), ",\"type\":\"object\",", needs,
                        "\"properties\":{", joined(properties), "},\"additionalProperties\":false");
}

}  // namespace

std::string schema_document() {
    std::vector<std::string> definitions;
    for (const ObjectType* type : object_types().subspan(1))
        definitions.push_back(base::concat(json::quote(type->id), ":{", object_schema(*type), "}"));
    std::string text =
        base::concat(R"({"$schema":"http://json-schema.org/draft-07/schema#","title":"Barnum workflow",)",
                     object_schema(*object_types().front()), ",\"definitions\":{", joined(definitions), "}}");
    return json::pretty(json::View::of(text)) + "\n";
}

}  // namespace config
