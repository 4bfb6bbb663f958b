// Bytes as hexadecimal text, and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace base {

// Two lower-case digits per byte.
std::string to_hex(std::string_view bytes);

// Empty unless `text` consists of pairs of hexadecimal digits. Upper-case digits are accepted.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace base
