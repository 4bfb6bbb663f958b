// "Did you mean …?", for names that people mistype.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace json {

// `; did you mean "<candidate>"?` for the candidate that `name` is most likely a misspelling of, or the only
// one of several words that has it as one of them; "" if there is none.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

// `"a", "b" or "c"`
std::string alternatives(std::span<const std::string_view> names);

}  // namespace json
