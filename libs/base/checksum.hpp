// XXH3-64 checksums, which detect accidental changes of a text. Not cryptographic: they do not protect
// against deliberate changes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace base {

std::uint64_t checksum(std::string_view text);

// The checksum of the concatenated pieces.
std::uint64_t checksum(std::span<const std::string_view> pieces);

}  // namespace base
