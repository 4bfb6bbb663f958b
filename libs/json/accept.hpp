// A fast JSON parser that only accepts or rejects. If it rejects a text, Boost.JSON parses the text again,
// and decides whether and where it is wrong. Private to libs/json.
#pragma once

#include "json/json.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace json {

// The value in `text`, if `text` is one JSON value (RFC 8259) with optional white space around it, valid
// UTF-8, and nested at most `depth` levels.
std::optional<View> accept(std::string_view text, std::size_t depth);

// The members of the object in `text`, under the same conditions; empty for another value, too.
std::optional<std::vector<Member>> accept_object(std::string_view text, std::size_t depth);

}  // namespace json
