// What several schemas together require of one value, collected keyword by keyword. Follows references and
// allOf, and takes one alternative of each anyOf, oneOf and if. Ignores "not" and that only one alternative
// of a oneOf may match: the validator checks the result. Internal to json_schema/sample.
#pragma once

#include "json_schema/outline.hpp"
#include "json_schema/sample_choices.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace json_schema {

enum class ValueType { object, string, integer, number, boolean, null, array };

struct Limit {
    long double value = 0;
    bool exclusive = false;
};

struct NumberFacts {
    std::optional<Limit> lower;
    std::optional<Limit> upper;
    std::vector<long double> multiple_of;
};

struct StringFacts {
    std::size_t least = 0;
    std::size_t most = SIZE_MAX;
    std::vector<std::string> patterns;
    std::string format;
};

struct ArrayFacts {
    std::size_t least = 0;
    std::size_t most = SIZE_MAX;
    bool unique = false;
    std::vector<json::View> contains;
};

struct ObjectFacts {
    std::size_t least = 0;
    std::size_t most = SIZE_MAX;
    std::vector<std::string> required;
    std::vector<json::View> names;         // the schemas of propertyNames
    std::vector<json::View> dependencies;  // the objects of the keyword
};

struct Facts {
    // Adds the requirements of `schema`, a subschema of the outline.
    void collect(const SchemaOutline& outline, json::View schema, Choices& choices);

    // The allowed types; those that the other keywords suggest come first.
    std::vector<ValueType> types() const;

    bool impossible = false;                        // a schema is `false`
    std::optional<std::vector<json::View>> values;  // from const or enum: the value must be one of them
    std::vector<json::View> examples;               // used if they satisfy the schema
    std::optional<std::vector<ValueType>> allowed;  // "type"
    std::vector<ValueType> hinted;
    NumberFacts of_number;
    StringFacts of_string;
    ArrayFacts of_array;
    ObjectFacts of_object;
    std::vector<json::View> structures;  // the schemas with keywords about members or items

  private:
    void collect_keyword(const SchemaOutline& outline, json::View schema, const json::Member& member,
                         Choices& choices);
    bool collect_alternative(const SchemaOutline& outline, json::View schema, std::string_view name,
                             json::View value, Choices& choices);
    bool collect_value(std::string_view name, json::View value);
    bool collect_number(json::View schema, std::string_view name, json::View value);
    bool collect_string(std::string_view name, json::View value);
    bool collect_array(std::string_view name, json::View value);
    bool collect_object(std::string_view name, json::View value);
    void allow(json::View type);
};

}  // namespace json_schema
