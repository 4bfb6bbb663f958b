// The values of `format` that are checked. Internal to json_schema/rules.
#pragma once

#include <string_view>

namespace json_schema {

struct Format {
    std::string_view name;
    std::string_view expectation;  // "a date as in RFC 3339"
    bool (*fits)(std::string_view text);
};

// Null for a format that is not checked.
const Format* find_format(std::string_view name);

}  // namespace json_schema
