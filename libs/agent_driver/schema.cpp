#include "agent_driver/schema.hpp"

#include "agent_driver/fields.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace agent_driver {

namespace {

using json::Kind;
using json::Member;
using json::View;

bool belongs_to_root(View key) {
    return key.is_string("definitions") || key.is_string("$defs") || key.is_string("$schema");
}

// Definitions move to the new root, so that references to them stay; what else is referred to moves away from
// it.
std::string moved_reference(const std::string& reference) {
    bool stays = !reference.starts_with('#') || reference.starts_with("#/definitions/") ||
                 reference.starts_with("#/$defs/");
    return json::quote(stays ? reference : base::concat("#/properties/tasks", reference.substr(1)));
}

void append_moved(std::string& out, View value);

void append_members(std::string& out, const std::vector<Member>& members) {
    std::string_view separator;
    for (const Member& member : members) {
        out += base::concat(separator, member.key.text(), ":");
        if (member.key.is_string("$ref") && member.value.is(Kind::string))
            out += moved_reference(member.value.string());
        else
            append_moved(out, member.value);
        separator = ",";
    }
}

// `value` with its references adjusted.
void append_moved(std::string& out, View value) {
    if (value.is(Kind::object)) {
        out += '{';
        append_members(out, value.members());
        out += '}';
    } else if (value.is(Kind::array)) {
        std::string_view separator = "[";
        for (View element : value.elements()) {
            out += separator;
            append_moved(out, element);
            separator = ",";
        }
        out += separator == "[" ? "[]" : "]";
    } else {
        out += value.text();
    }
}

constexpr std::array<std::string_view, 19> plain_keywords{"type",
                                                          "enum",
                                                          "const",
                                                          "description",
                                                          "title",
                                                          "$ref",
                                                          "$schema",
                                                          "pattern",
                                                          "format",
                                                          "multipleOf",
                                                          "minimum",
                                                          "maximum",
                                                          "minItems",
                                                          "exclusiveMinimum",
                                                          "exclusiveMaximum",
                                                          "maxItems",
                                                          "additionalProperties",
                                                          "required",
                                                          "default"};

bool strict(View schema);

bool all_strict(const std::vector<View>& schemas) {
    return !schemas.empty() && std::ranges::all_of(schemas, strict);
}

bool members_strict(View object) {
    return object.is(Kind::object) &&
           std::ranges::all_of(object.members(), [](const Member& member) { return strict(member.value); });
}

bool keyword_is_strict(const Member& member) {
    std::string name = member.key.string();
    if (name == "properties" || name == "$defs" || name == "definitions") return members_strict(member.value);
    if (name == "items") return strict(member.value);
    if (name == "anyOf") return member.value.is(Kind::array) && all_strict(member.value.elements());
    return std::ranges::find(plain_keywords, name) != plain_keywords.end();
}

// An object that names its members requires each of them.
bool object_is_closed(View schema) {
    auto type = schema.find("type");
    bool is_object = schema.find("properties") || (type && type->is_string("object"));
    if (!is_object) return true;
    auto others = schema.find("additionalProperties");
    if (!others || others->text() != "false" || !schema.find("properties")) return false;
    auto required = elements_at(schema, {"required"});
    return std::ranges::all_of(schema.find("properties")->members(), [&](const Member& member) {
        std::string name = member.key.string();
        return std::ranges::any_of(required, [&](View r) { return r.is(Kind::string) && r.is_string(name); });
    });
}

bool strict(View schema) {
    if (!schema.is(Kind::object)) return false;
    bool says_something =
        schema.find("type") || schema.find("$ref") || schema.find("anyOf") || schema.find("enum");
    return says_something && std::ranges::all_of(schema.members(), keyword_is_strict) &&
           object_is_closed(schema);
}

}  // namespace

std::string wrapped_schema(std::string_view schema) {
    auto view = json::checked(schema);
    if (!view || !view->is(Kind::object)) return "";
    std::vector<Member> of_root, of_array;
    for (const Member& member : view->members())
        (belongs_to_root(member.key) ? of_root : of_array).push_back(member);
    std::string out = "{";
    append_members(out, of_root);
    if (!of_root.empty()) out += ',';
    out += R"("type":"object","additionalProperties":false,"required":["tasks"],"properties":{"tasks":{)";
    append_members(out, of_array);
    return out + "}}}";
}

bool is_strict(std::string_view schema) {
    auto view = json::checked(schema);
    return view && strict(*view);
}

}  // namespace agent_driver
