// The values of `format` that are checked. Inner part of json_schema/rules.
#pragma once

#include <string_view>

namespace json_schema {

struct Format {
    std::string_view name;
    std::string_view expectation;  // "a date as in RFC 3339"
    bool (*fits)(std::string_view text);
};

// Null for a format that says nothing about values.
const Format* find_format(std::string_view name);

}  // namespace json_schema
