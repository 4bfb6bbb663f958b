#include "json_schema/contradiction.hpp"

#include "base/text.hpp"
#include "json_schema/outline.hpp"
#include "json_schema/pointer.hpp"

#include <algorithm>

namespace json_schema {

namespace {

using json::Kind;
using json::View;

// The subschema under inspection.
struct Place {
    const SchemaOutline& outline;
    View schema;
    std::string pointer;
};

std::optional<std::string> contradiction_at(const Place& place);

std::string where(const Place& place, std::string_view keyword) {
    return extend_pointer(place.pointer, keyword);
}

// Whether the schema allows values of this type only.
bool is_only(View schema, std::string_view wanted) {
    auto type = schema.find("type");
    if (!type) return false;
    if (type->is(Kind::string)) return type->string() == wanted;
    auto names = type->elements();
    return names.size() == 1 && names.front().string() == wanted;
}

bool is_only_a_number(View schema) {
    return is_only(schema, "number") || is_only(schema, "integer");
}

struct Limits {
    std::string_view least;
    std::string_view most;
    bool (*applies)(View schema);
};

constexpr Limits limits[] = {
    {"minimum", "maximum", is_only_a_number},
    {"minLength", "maxLength", [](View schema) { return is_only(schema, "string"); }},
    {"minItems", "maxItems", [](View schema) { return is_only(schema, "array"); }},
    {"minProperties", "maxProperties", [](View schema) { return is_only(schema, "object"); }},
};

std::optional<std::string> in_limits(const Place& place) {
    for (const Limits& each : limits) {
        auto least = place.schema.find(each.least);
        auto most = place.schema.find(each.most);
        if (least && most && each.applies(place.schema) && least->number() > most->number())
            return base::concat(where(place, each.least), ", ", least->text(), ", is more than ",
                                where(place, each.most), ", ", most->text());
    }
    return std::nullopt;
}

// The allowed values are listed, so each of them can be validated.
std::optional<std::string> in_values(const Place& place) {
    auto constant = place.schema.find("const");
    auto values = place.schema.find("enum");
    if (!constant && !values) return std::nullopt;
    auto schema = Schema::compile_part(place.outline, place.schema);
    if (schema.has_error()) return std::nullopt;
    auto fits = [&](View value) { return !(*schema)->violation(value); };
    if (constant && !fits(*constant))
        return base::concat(where(place, "const"), " does not fit the rest of the schema");
    if (values && std::ranges::none_of(values->elements(), fits))
        return base::concat(where(place, "enum"), " has no value that fits the rest of the schema");
    return std::nullopt;
}

// Whether a required member is allowed by the same schema.
std::optional<std::string> in_member(const Place& place, const std::string& name) {
    auto properties = place.schema.find("properties");
    auto property = properties ? properties->find(name) : std::nullopt;
    if (property)
        return contradiction_at({place.outline, *property, extend_pointer(where(place, "properties"), name)});
    auto others = place.schema.find("additionalProperties");
    bool is_closed = others && others->is(Kind::boolean) && !others->boolean();
    if (!is_closed || place.schema.find("patternProperties")) return std::nullopt;
    return base::concat(where(place, "required"), " requires the member ", json::quote(name), ", which ",
                        where(place, "additionalProperties"), " does not allow");
}

std::optional<std::string> in_required(const Place& place) {
    auto required = place.schema.find("required");
    if (!required || !is_only(place.schema, "object")) return std::nullopt;
    for (View name : required->elements())
        if (auto found = in_member(place, name.string())) return found;
    return std::nullopt;
}

std::optional<std::string> in_all_of(const Place& place) {
    auto all = place.schema.find("allOf");
    if (!all) return std::nullopt;
    std::size_t index = 0;
    for (View each : all->elements())
        if (auto found =
                contradiction_at({place.outline, each, base::concat(where(place, "allOf"), "/", index++)}))
            return found;
    return std::nullopt;
}

std::optional<std::string> contradiction_at(const Place& place) {
    if (place.schema.is(Kind::boolean)) {
        if (place.schema.boolean()) return std::nullopt;
        return base::concat(place.pointer.empty() ? "it" : place.pointer, " is false, which no value fits");
    }
    if (place.schema.find("$ref")) return std::nullopt;
    for (auto check : {in_limits, in_values, in_required, in_all_of})
        if (auto found = check(place)) return found;
    return std::nullopt;
}

}  // namespace

std::optional<std::string> contradiction(const Schema& schema) {
    View root = View::of(schema.text());
    SchemaOutline outline = json_schema::outline(root);
    return contradiction_at({outline, root, ""});
}

}  // namespace json_schema
