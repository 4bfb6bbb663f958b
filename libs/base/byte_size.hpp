// A number of bytes, as a person writes it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace base {

// A whole number of bytes, which may have a unit, in upper or lower case: K or KiB, M or MiB, G or GiB and T
// or TiB are 1024 bytes and powers of it; kB, MB, GB and TB 1000 bytes and powers of it. Nothing for any
// other text, and for more than most_stored_bytes (base/limits.hpp).
std::optional<std::uint64_t> parse_byte_size(std::string_view text);

// For messages: "a number of bytes must be " byte_size_form.
inline constexpr std::string_view byte_size_form =
    "a whole number, also with K, M, G or T (1024 bytes and so on), or kB, MB, GB or TB (1000 bytes and so "
    "on)";

}  // namespace base
