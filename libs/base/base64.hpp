// Bytes as text in Base64 (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace base {

// Encodes with padding.
std::string to_base64(std::string_view bytes);

// Encodes with the two other digits of the variant for URLs, and without padding.
std::string to_base64_url(std::string_view bytes);

// The bytes of either variant, with or without padding. Nothing if it is neither.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace base
