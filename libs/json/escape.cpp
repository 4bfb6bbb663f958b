#include "json/escape.hpp"

#include "base/text_parts.hpp"
#include "json/json.hpp"

#include <cstdint>

namespace json {

namespace {

constexpr std::uint32_t first_astral = 0x10000;

void append_unit(std::string& out, std::uint32_t unit) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        out += digits[unit >> shift & 15U];
}

// The number of bytes of the UTF-8 character that begins with this byte; 1 for any other byte.
std::size_t character_size(unsigned char first) {
    if (first >= 0xf0) return 4;
    if (first >= 0xe0) return 3;
    return first >= 0xc0 ? 2 : 1;
}

std::uint32_t code_point(std::string_view character) {
    auto code = static_cast<std::uint32_t>(static_cast<unsigned char>(character[0]));
    if (character.size() > 1) code &= 0x7fU >> character.size();
    for (char next : character.substr(1))
        code = code << 6 | (static_cast<unsigned char>(next) & 0x3fU);
    return code;
}

void append_escaped(std::string& out, std::uint32_t code) {
    if (code < first_astral) return append_unit(out, code);
    append_unit(out, 0xd800U + ((code - first_astral) >> 10));
    append_unit(out, 0xdc00U + ((code - first_astral) & 0x3ffU));
}

}  // namespace

std::string escaped(std::string_view text, Escapes escapes) {
    const std::string quoted = quote(text);
    std::string_view rest = std::string_view(quoted).substr(1, quoted.size() - 2);
    if (escapes == Escapes::required) return std::string(rest);
    std::string out;
    while (!rest.empty()) {
        std::string_view character = rest.substr(0, character_size(static_cast<unsigned char>(rest[0])));
        rest.remove_prefix(character.size());
        if (character.size() == 1)
            out += character;
        else
            append_escaped(out, code_point(character));
    }
    return out;
}

std::string quote_beginning(std::string_view text, std::size_t bytes) {
    std::string_view begin = base::cut_to(text, bytes);
    std::string quoted = quote(begin);
    if (!invalid_utf8(begin)) return quoted;
    std::string valid = View::of(quoted).string();
    return quote(base::cut_to(valid, bytes));
}

}  // namespace json
