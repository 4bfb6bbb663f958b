// The keywords of JSON Schema, and how each is handled. Internal to json_schema/schema.
#pragma once

#include "json_schema/drafts.hpp"

#include <span>
#include <string_view>

namespace json_schema {

// The form that a keyword's value must have.
enum class Shape {
    anything,
    string,
    boolean,
    number,
    positive_number,
    count,            // an integer, 0 or more
    exclusive_limit,  // a number; in draft-04 a boolean
    strings,          // an array of strings
    string_lists,     // an object whose members are such arrays
    types,            // the name of a type, or an array of such names
    nonempty_array,
    pattern,
    anchor,
    reference,
    schema,
    schema_or_boolean,
    schemas,       // an array with at least one schema
    schema_map,    // an object whose members are schemas
    pattern_map,   // the same; the names are patterns
    items,         // a schema or, before 2020-12, an array of schemas
    dependencies,  // an object whose members are schemas or arrays of strings
};

enum class Use {
    annotation,  // does not constrain values
    constraint,  // checked by valijson
    rule,        // checked by json_schema/rules.hpp
};

struct Keyword {
    std::string_view name;
    Shape shape;
    Use use;
    unsigned drafts;          // the drafts that have the keyword, as a bit set
    bool same_value = false;  // its subschemas apply to the same value, not to parts of it

    bool in(Draft draft) const { return (drafts & static_cast<unsigned>(draft)) != 0; }
};

std::span<const Keyword> keywords();

// Null for a word that is a keyword in no supported draft.
const Keyword* find_keyword(std::string_view name);

// What to use instead of a keyword that a draft has but that is not supported: `use "allOf"`. Empty for other
// words.
std::string_view advice_on(std::string_view name);

}  // namespace json_schema
