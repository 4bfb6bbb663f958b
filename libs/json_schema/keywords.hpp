// The words of JSON Schema, and what becomes of each. Inner part of json_schema/schema.
#pragma once

#include <span>
#include <string_view>

namespace json_schema {

enum class Draft : unsigned { draft4 = 1, draft6 = 2, draft7 = 4 };

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
    types,            // a type's name or an array of them
    nonempty_array,
    pattern,
    format,
    reference,
    schema,
    schema_or_boolean,
    schemas,       // an array of at least one
    schema_map,    // an object of schemas
    pattern_map,   // the same, by pattern
    items,         // a schema or an array of schemas
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

// Whether a draft that is not supported has that word.
bool is_foreign_keyword(std::string_view name);

}  // namespace json_schema
