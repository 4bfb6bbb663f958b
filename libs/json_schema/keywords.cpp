#include "json_schema/keywords.hpp"

#include <algorithm>

namespace json_schema {

namespace {

constexpr unsigned only4 = static_cast<unsigned>(Draft::draft4);
constexpr unsigned only2020 = static_cast<unsigned>(Draft::draft2020);
constexpr unsigned all = 63;
constexpr unsigned from6 = all - only4;
constexpr unsigned from7 = from6 - static_cast<unsigned>(Draft::draft6);
constexpr unsigned from2019 = from7 - static_cast<unsigned>(Draft::draft7);
constexpr unsigned from2020 = from2019 - static_cast<unsigned>(Draft::draft2019);

constexpr Keyword table[] = {
    {"$schema", Shape::string, Use::annotation, all},
    {"$id", Shape::string, Use::annotation, from6},
    {"id", Shape::string, Use::annotation, all},  // since draft-06 only an annotation, which zod generates
    {"$anchor", Shape::anchor, Use::annotation, from2019},
    {"$comment", Shape::string, Use::annotation, all},
    {"title", Shape::string, Use::annotation, all},
    {"description", Shape::string, Use::annotation, all},
    {"default", Shape::anything, Use::annotation, all},
    {"examples", Shape::anything, Use::annotation, all},
    {"readOnly", Shape::boolean, Use::annotation, all},
    {"writeOnly", Shape::boolean, Use::annotation, all},
    {"deprecated", Shape::boolean, Use::annotation, all},
    {"discriminator", Shape::anything, Use::annotation, all},  // from OpenAPI; does not constrain values
    {"contentEncoding", Shape::string, Use::annotation, from7},
    {"contentMediaType", Shape::string, Use::annotation, from7},
    {"contentSchema", Shape::schema, Use::annotation, from2019},
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
    {"format", Shape::string, Use::rule, all},
    {"items", Shape::items, Use::constraint, all},
    {"additionalItems", Shape::schema_or_boolean, Use::constraint, all - only2020},
    {"prefixItems", Shape::schemas, Use::constraint, from2020},
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
    {"dependentRequired", Shape::string_lists, Use::constraint, from2019},
    {"dependentSchemas", Shape::schema_map, Use::constraint, from2019, true},
    {"propertyNames", Shape::schema, Use::constraint, from6},
    {"if", Shape::schema, Use::constraint, from7, true},
    {"then", Shape::schema, Use::constraint, from7, true},
    {"else", Shape::schema, Use::constraint, from7, true},
    {"allOf", Shape::schemas, Use::constraint, all, true},
    {"anyOf", Shape::schemas, Use::constraint, all, true},
    {"oneOf", Shape::schemas, Use::constraint, all, true},
    {"not", Shape::schema, Use::constraint, all, true},
};

struct Unsupported {
    std::string_view name;
    std::string_view advice;
};

constexpr std::string_view list_members =
    "list all members in the \"properties\" of one schema and use \"additionalProperties\" there";

constexpr Unsupported unsupported[] = {
    {"$dynamicAnchor", "use \"$anchor\""},
    {"$dynamicRef", "use \"$ref\""},
    {"$recursiveAnchor", "remove it"},
    {"$recursiveRef", "use \"$ref\""},
    {"$vocabulary", "remove it"},
    {"disallow", "use \"not\""},
    {"divisibleBy", "use \"multipleOf\""},
    {"extends", "use \"allOf\""},
    {"maxContains", "use \"maxItems\", or check the number in a script"},
    {"minContains", "use \"contains\" alone, which requires one item"},
    {"unevaluatedItems", "use \"items\" next to \"prefixItems\""},
    {"unevaluatedProperties", list_members},
};

}  // namespace

std::span<const Keyword> keywords() {
    return table;
}

const Keyword* find_keyword(std::string_view name) {
    auto found = std::ranges::find(table, name, &Keyword::name);
    return found == std::end(table) ? nullptr : found;
}

std::string_view advice_on(std::string_view name) {
    auto found = std::ranges::find(unsupported, name, &Unsupported::name);
    return found == std::end(unsupported) ? "" : found->advice;
}

}  // namespace json_schema
