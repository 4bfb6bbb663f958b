// A schema read as a schema: where its subschemas are, what they refer to, and what in it cannot be checked.
// Inner part of json_schema/schema.
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

// One schema within the schema, or within a meta-schema that it refers to.
struct Subschema {
    json::View view;
    std::string pointer;                  // from the root, as a JSON pointer; behind the URI of a meta-schema
    json::View document;                  // the root
    std::vector<std::size_t> same_value;  // the subschemas that see the same value as this one
    std::optional<std::size_t> target;    // of its $ref
};

struct SchemaOutline {
    Draft draft = Draft::unnamed;
    std::vector<Subschema> subschemas;                      // the root first
    std::unordered_map<const char*, std::size_t> by_place;  // by the first byte of its text
    std::vector<SchemaProblem> problems;
    std::set<std::string_view> used;  // the keywords that stand somewhere in it

    const Subschema& at(json::View view) const { return subschemas[by_place.at(view.text().data())]; }
};

SchemaOutline outline(json::View schema);

}  // namespace json_schema
