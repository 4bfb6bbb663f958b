// The words of JSON Schema, and what becomes of each. Inner part of json_schema/schema.
#pragma once

#include "json_schema/drafts.hpp"

#include <span>
#include <string_view>

namespace json_schema {

// What a keyword's value must look like.
enum class Shape {
    anything,
    string,
    boolean,
    number,
    positive_number,
    count,            // a whole number, not negative
    exclusive_limit,  // a number; in draft-04 a boolean
    strings,          // an array of strings
    string_lists,     // an object of such arrays
    types,            // a type's name or an array of them
    nonempty_array,
    pattern,
    anchor,
    reference,
    schema,
    schema_or_boolean,
    schemas,       // an array of at least one
    schema_map,    // an object of schemas
    pattern_map,   // the same, by pattern
    items,         // a schema or, before 2020-12, an array of schemas
    dependencies,  // an object whose members are schemas or arrays of strings
};

enum class Use {
    annotation,  // says nothing about values
    constraint,  // valijson checks it
    rule,        // json_schema/rules.hpp checks it
};

struct Keyword {
    std::string_view name;
    Shape shape;
    Use use;
    unsigned drafts;          // the drafts that have it, as a set of bits
    bool same_value = false;  // its subschemas apply to the value itself, not to a part of it

    bool in(Draft draft) const { return (drafts & static_cast<unsigned>(draft)) != 0; }
};

std::span<const Keyword> keywords();

// Null for a word that no supported draft has.
const Keyword* find_keyword(std::string_view name);

// What to do about a word that some draft has and that is not supported: `say "allOf"`. Empty for any other.
std::string_view advice_on(std::string_view name);

}  // namespace json_schema
