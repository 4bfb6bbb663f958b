// The structure of a schema: its subschemas, their references, and everything in it that cannot be checked.
// Internal to json_schema/schema.
#pragma once

#include "json/json.hpp"
#include "json_schema/keywords.hpp"
#include "json_schema/schema.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace json_schema {

// A subschema of the schema, or of a meta-schema that the schema refers to.
struct Subschema {
    json::View view;
    std::string pointer;  // JSON pointer from the root; for a meta-schema, preceded by its URI
    json::View document;  // the root of the document
    std::vector<std::size_t>
        same_value;                     // indices of the subschemas that apply to the same value as this one
    std::optional<std::size_t> target;  // index of the target of its $ref
};

struct SchemaOutline {
    Draft draft = Draft::unnamed;
    std::vector<Subschema> subschemas;  // the root is the first
    std::unordered_map<const char*, std::size_t>
        by_place;  // index by the address of the first byte of its text
    std::vector<SchemaProblem> problems;
    std::set<std::string_view> used;  // all keywords that occur

    const Subschema& at(json::View view) const { return subschemas[by_place.at(view.text().data())]; }
};

SchemaOutline outline(json::View schema);

}  // namespace json_schema
