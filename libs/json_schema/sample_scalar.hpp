// Sample numbers and strings. Internal to json_schema/sample. The results need not satisfy the schema: limits
// may contradict each other, and patterns may be too complex.
#pragma once

#include "json_schema/sample_facts.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace json_schema {

// The number as JSON text. Different variations give different numbers if possible.
std::string sample_number(const NumberFacts& facts, bool whole, std::size_t variation);

// The string without quotes. Empty if the minimum length is more than a million characters.
std::optional<std::string> sample_string(const StringFacts& facts, std::size_t variation);

// A text that matches the regular expression, as short as possible, with `extra` additional repetitions where
// repetitions are allowed. Empty for features that need a search: look-around, back references, \p{…}.
std::optional<std::string> sample_match(std::string_view pattern, std::size_t variation, std::size_t extra);

}  // namespace json_schema
