// The checksums of records and of lines of the index, as text. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace output {

inline constexpr std::size_t checksum_digits = 16;

// XXH3-64 of both, one after the other, in hexadecimal.
std::array<char, checksum_digits> checksum_text(std::string_view first, std::string_view second);

}  // namespace output
