// Classes of characters in ASCII, whatever the locale, and of the bytes of UTF-8.
#pragma once

namespace base {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

constexpr bool is_alphanumeric(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || is_digit(c);
}

// Whether the byte is one of a character in UTF-8, but not its first.
constexpr bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
}

}  // namespace base
