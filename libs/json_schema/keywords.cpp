#include "json_schema/keywords.hpp"

#include <algorithm>

namespace json_schema {

namespace {

constexpr unsigned all = 7;
constexpr unsigned only4 = 1;
constexpr unsigned from6 = 6;
constexpr unsigned from7 = 4;

constexpr Keyword table[] = {
    {"$schema", Shape::string, Use::annotation, all},
    {"$id", Shape::string, Use::annotation, from6},
    {"id", Shape::string, Use::annotation, only4},
    {"$comment", Shape::string, Use::annotation, all},
    {"title", Shape::string, Use::annotation, all},
    {"description", Shape::string, Use::annotation, all},
    {"default", Shape::anything, Use::annotation, all},
    {"examples", Shape::anything, Use::annotation, all},
    {"readOnly", Shape::boolean, Use::annotation, all},
    {"writeOnly", Shape::boolean, Use::annotation, all},
    {"deprecated", Shape::boolean, Use::annotation, all},
    {"definitions", Shape::schema_map, Use::annotation, all},
    {"$defs", Shape::schema_map, Use::annotation, all},
    {"$ref", Shape::reference, Use::constraint, all},
    {"type", Shape::types, Use::rule, all},
    {"enum", Shape::nonempty_array, Use::rule, all},
    {"const", Shape::anything, Use::rule, from6},
    {"multipleOf", Shape::positive_number, Use::rule, all},
    {"maximum", Shape::number, Use::rule, all},
    {"exclusiveMaximum", Shape::exclusive_limit, Use::rule, all},
    {"minimum", Shape::number, Use::rule, all},
    {"exclusiveMinimum", Shape::exclusive_limit, Use::rule, all},
    {"maxLength", Shape::count, Use::rule, all},
    {"minLength", Shape::count, Use::rule, all},
    {"pattern", Shape::pattern, Use::rule, all},
    {"format", Shape::format, Use::rule, all},
    {"items", Shape::items, Use::constraint, all},
    {"additionalItems", Shape::schema_or_boolean, Use::constraint, all},
    {"maxItems", Shape::count, Use::rule, all},
    {"minItems", Shape::count, Use::rule, all},
    {"uniqueItems", Shape::boolean, Use::rule, all},
    {"contains", Shape::schema, Use::constraint, from6},
    {"maxProperties", Shape::count, Use::rule, all},
    {"minProperties", Shape::count, Use::rule, all},
    {"required", Shape::strings, Use::rule, all},
    {"properties", Shape::schema_map, Use::constraint, all},
    {"patternProperties", Shape::pattern_map, Use::constraint, all},
    {"additionalProperties", Shape::schema_or_boolean, Use::constraint, all},
    {"dependencies", Shape::dependencies, Use::constraint, all, true},
    {"propertyNames", Shape::schema, Use::constraint, from6},
    {"if", Shape::schema, Use::constraint, from7, true},
    {"then", Shape::schema, Use::constraint, from7, true},
    {"else", Shape::schema, Use::constraint, from7, true},
    {"allOf", Shape::schemas, Use::constraint, all, true},
    {"anyOf", Shape::schemas, Use::constraint, all, true},
    {"oneOf", Shape::schemas, Use::constraint, all, true},
    {"not", Shape::schema, Use::constraint, all, true},
};

constexpr std::string_view foreign[] = {
    "$anchor",       "$dynamicAnchor",    "$dynamicRef",           "$recursiveAnchor",
    "$recursiveRef", "$vocabulary",       "contentEncoding",       "contentMediaType",
    "contentSchema", "dependentRequired", "dependentSchemas",      "disallow",
    "divisibleBy",   "extends",           "maxContains",           "minContains",
    "prefixItems",   "unevaluatedItems",  "unevaluatedProperties",
};

}  // namespace

std::span<const Keyword> keywords() {
    return table;
}

const Keyword* find_keyword(std::string_view name) {
    auto found = std::ranges::find(table, name, &Keyword::name);
    return found == std::end(table) ? nullptr : found;
}

bool is_foreign_keyword(std::string_view name) {
    return std::ranges::find(foreign, name) != std::end(foreign);
}

}  // namespace json_schema
