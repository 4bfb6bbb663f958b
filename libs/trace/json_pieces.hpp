// Pieces of JSON text. Internal to the writers of this room.
#pragma once

#include "base/text.hpp"
#include "json/json.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace trace {

template<class... Pieces>
void append(std::string& out, const Pieces&... pieces) {
    (base::append_piece(out, pieces), ...);
}

inline std::string_view truth(bool value) {
    return value ? "true" : "false";
}

inline std::string text_or_null(std::string_view text) {
    return text.empty() ? "null" : json::quote(text);
}

// The shortest text for the number; null if it is not finite.
inline std::string number(double value) {
    if (!std::isfinite(value)) return "null";
    char digits[32];
    auto end = value == std::floor(value) && std::fabs(value) < 1e15
                   ? std::to_chars(digits, digits + sizeof digits, static_cast<long long>(value)).ptr
                   : std::to_chars(digits, digits + sizeof digits, value).ptr;
    return {digits, end};
}

template<class Integer>
std::string number_or_null(const std::optional<Integer>& value) {
    return value ? std::to_string(*value) : "null";
}

}  // namespace trace
