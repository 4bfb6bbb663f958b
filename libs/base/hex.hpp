// Bytes as hexadecimal text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace base {

// Two lower-case digits a byte.
std::string to_hex(std::string_view bytes);

// Nothing if `text` is anything but pairs of digits; capitals are digits, too.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace base
