#include "json_schema/keywords.hpp"

#include <algorithm>

namespace json_schema {

namespace {

constexpr unsigned only4 = static_cast<unsigned>(Draft::draft4);
constexpr unsigned only2020 = static_cast<unsigned>(Draft::draft2020);
constexpr unsigned every_draft = 63;
constexpr unsigned from6 = every_draft - only4;
constexpr unsigned from7 = from6 - static_cast<unsigned>(Draft::draft6);
constexpr unsigned from2019 = from7 - static_cast<unsigned>(Draft::draft7);
constexpr unsigned from2020 = from2019 - static_cast<unsigned>(Draft::draft2019);

constexpr Keyword keyword_table[] = {
    {"$schema", Shape::string, Use::annotation, every_draft},
    {"$id", Shape::string, Use::annotation, from6},
    {"id", Shape::string, Use::annotation,
     every_draft},  // since draft-06 only an annotation, which zod generates
    {"$anchor", Shape::anchor, Use::annotation, from2019},
    {"$comment", Shape::string, Use::annotation, every_draft},
    {"title", Shape::string, Use::annotation, every_draft},
    {"description", Shape::string, Use::annotation, every_draft},
    {"default", Shape::anything, Use::annotation, every_draft},
    {"examples", Shape::anything, Use::annotation, every_draft},
    {"readOnly", Shape::boolean, Use::annotation, every_draft},
    {"writeOnly", Shape::boolean, Use::annotation, every_draft},
    {"deprecated", Shape::boolean, Use::annotation, every_draft},
    {"discriminator", Shape::anything, Use::annotation,
     every_draft},  // from OpenAPI; does not constrain values
    {"contentEncoding", Shape::string, Use::annotation, from7},
    {"contentMediaType", Shape::string, Use::annotation, from7},
    {"contentSchema", Shape::schema, Use::annotation, from2019},
    {"definitions", Shape::schema_map, Use::annotation, every_draft},
    {"$defs", Shape::schema_map, Use::annotation, every_draft},
    {"$ref", Shape::reference, Use::constraint, every_draft},
    {"type", Shape::types, Use::rule, every_draft},
    {"enum", Shape::nonempty_array, Use::rule, every_draft},
    {"const", Shape::anything, Use::rule, from6},
    {"multipleOf", Shape::positive_number, Use::rule, every_draft},
    {"maximum", Shape::number, Use::rule, every_draft},
    {"exclusiveMaximum", Shape::exclusive_limit, Use::rule, every_draft},
    {"minimum", Shape::number, Use::rule, every_draft},
    {"exclusiveMinimum", Shape::exclusive_limit, Use::rule, every_draft},
    {"maxLength", Shape::count, Use::rule, every_draft},
    {"minLength", Shape::count, Use::rule, every_draft},
    {"pattern", Shape::pattern, Use::rule, every_draft},
    {"format", Shape::string, Use::rule, every_draft},
    {"items", Shape::items, Use::constraint, every_draft},
    {"additionalItems", Shape::schema_or_boolean, Use::constraint, every_draft - only2020},
    {"prefixItems", Shape::schemas, Use::constraint, from2020},
    {"maxItems", Shape::count, Use::rule, every_draft},
    {"minItems", Shape::count, Use::rule, every_draft},
    {"uniqueItems", Shape::boolean, Use::rule, every_draft},
    {"contains", Shape::schema, Use::constraint, from6},
    {"maxProperties", Shape::count, Use::rule, every_draft},
    {"minProperties", Shape::count, Use::rule, every_draft},
    {"required", Shape::strings, Use::rule, every_draft},
    {"properties", Shape::schema_map, Use::constraint, every_draft},
    {"patternProperties", Shape::pattern_map, Use::constraint, every_draft},
    {"additionalProperties", Shape::schema_or_boolean, Use::constraint, every_draft},
    {"dependencies", Shape::dependencies, Use::constraint, every_draft, true},
    {"dependentRequired", Shape::string_lists, Use::constraint, from2019},
    {"dependentSchemas", Shape::schema_map, Use::constraint, from2019, true},
    {"propertyNames", Shape::schema, Use::constraint, from6},
    {"if", Shape::schema, Use::constraint, from7, true},
    {"then", Shape::schema, Use::constraint, from7, true},
    {"else", Shape::schema, Use::constraint, from7, true},
    {"allOf", Shape::schemas, Use::constraint, every_draft, true},
    {"anyOf", Shape::schemas, Use::constraint, every_draft, true},
    {"oneOf", Shape::schemas, Use::constraint, every_draft, true},
    {"not", Shape::schema, Use::constraint, every_draft, true},
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
    return keyword_table;
}

const Keyword* find_keyword(std::string_view name) {
    auto found = std::ranges::find(keyword_table, name, &Keyword::name);
    return found == std::end(keyword_table) ? nullptr : found;
}

std::string_view advice_on(std::string_view name) {
    auto found = std::ranges::find(unsupported, name, &Unsupported::name);
    return found == std::end(unsupported) ? "" : found->advice;
}

}  // namespace json_schema
