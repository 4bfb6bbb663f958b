// "Did you mean …?" for mistyped names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace json {

// `; did you mean "<candidate>"?` for the candidate of which `name` is probably a misspelling, or for the
// only candidate of several words that contains `name` as a word; "" if there is none.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

// `"a", "b" or "c"`
std::string alternatives(std::span<const std::string_view> names);

}  // namespace json
