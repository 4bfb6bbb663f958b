#include "json/shown_text.hpp"

#include "base/columns.hpp"
#include "json/utf8.hpp"

#include <cstdint>

namespace json {

namespace {

void append_escape(std::string& out, char kind, std::size_t digits, std::uint32_t value) {
    out += {'\\', kind};
    while (digits-- > 0)
        out += "0123456789abcdef"[(value >> (4 * digits)) & 15];
}

void append_character(std::string& out, std::string_view character) {
    const std::uint32_t value = utf8::first_code_point(character).value;
    if (character == "\n" || character == "\t" || !base::is_control(value))
        out += character;
    else if (value < 0x80)
        append_escape(out, 'x', 2, value);
    else
        append_escape(out, 'u', 4, value);
}

}  // namespace

std::string shown_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        std::size_t length = utf8::sequence_length(text);
        if (length == 0)
            append_escape(out, 'x', 2, static_cast<unsigned char>(text.front()));
        else
            append_character(out, text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

}  // namespace json
