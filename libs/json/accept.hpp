// Accepts JSON quickly. Does not say what is wrong with a text that it does not accept, nor where: that is
// Boost.JSON's judgement, which is asked only then, and its word counts. Private to libs/json.
#pragma once

#include "json/json.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace json {

// The value that `text` consists of, with nothing but white space around it, if `text` is JSON (RFC 8259),
// valid UTF-8 and at most `depth` deep.
std::optional<View> accept(std::string_view text, std::size_t depth);

}  // namespace json
