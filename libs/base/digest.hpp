// A number by which one text is told from another. The same in every build and on every run; no match for
// somebody who looks for two texts of the same number.
#pragma once

#include <cstdint>
#include <string_view>

namespace base {

std::uint64_t digest(std::string_view text);

}  // namespace base
