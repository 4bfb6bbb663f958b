// XXH3-64: by it, a text of which a part has changed by accident is told from what it was. No match for
// somebody who looks for two texts of the same checksum.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace base {

std::uint64_t checksum(std::string_view text);

// Of the pieces, one after the other, as if they were one text.
std::uint64_t checksum(std::span<const std::string_view> pieces);

}  // namespace base
