// "Did you mean …?" for names that people mistype.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace base {

// The candidate with the smallest edit distance to `name`, if it is near enough to be what was meant (a third
// of the name's length, at least 1).
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

// "; did you mean 'x'?", or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace base
