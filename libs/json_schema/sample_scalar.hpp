// Numbers and strings made up by what schemas ask of them. Inner part of json_schema/sample. What comes out
// need not fit: limits may contradict each other, and patterns be too involved.
#pragma once

#include "json_schema/sample_facts.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace json_schema {

// JSON text. Variations are as far as possible different numbers.
std::string sample_number(const NumberFacts& facts, bool whole, std::size_t variation);

// Not quoted. Nothing if more than a million characters are wanted.
std::optional<std::string> sample_string(const StringFacts& facts, std::size_t variation);

// A text that the regular expression is found in, at its shortest but for `extra` more of all that may be
// repeated. Nothing for what only a search could satisfy: look-around, references back, \p{…}.
std::optional<std::string> sample_match(std::string_view pattern, std::size_t variation, std::size_t extra);

}  // namespace json_schema
