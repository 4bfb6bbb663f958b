#include "base/base64.hpp"

#include <cstddef>
#include <cstdint>

namespace base {

namespace {

int digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return -1;
}

std::string_view without_padding(std::string_view text) {
    if (text.size() % 4 != 0) return text;
    for (int i = 0; i < 2 && text.ends_with('='); ++i)
        text.remove_suffix(1);
    return text;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (; !bytes.empty(); bytes.remove_prefix(bytes.size() < 3 ? bytes.size() : 3)) {
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= bytes.size() ? digits[group >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

std::string to_base64_url(std::string_view bytes) {
    std::string text = to_base64(bytes);
    while (text.ends_with('='))
        text.pop_back();
    for (char& c : text)
        c = c == '+' ? '-' : c == '/' ? '_' : c;
    return text;
}

std::optional<std::string> from_base64(std::string_view text) {
    text = without_padding(text);
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    std::uint32_t group = 0;
    int bits = 0;
    for (char c : text) {
        int digit = digit_of(c);
        if (digit < 0) return std::nullopt;
        group = group << 6 | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(group >> bits & 0xFF);
    }
    return bytes;
}

}  // namespace base
