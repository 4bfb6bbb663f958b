#include "base/hex.hpp"

#include <charconv>

namespace base {

std::string to_hex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (char c : bytes) {
        auto byte = static_cast<unsigned char>(c);
        text.push_back(digits[byte >> 4]);
        text.push_back(digits[byte & 15]);
    }
    return text;
}

std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (; !text.empty(); text.remove_prefix(2)) {
        unsigned char byte = 0;
        auto [end, error] = std::from_chars(text.data(), text.data() + 2, byte, 16);
        if (error != std::errc() || end != text.data() + 2) return std::nullopt;
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

}  // namespace base
