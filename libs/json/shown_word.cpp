#include "json/shown_word.hpp"

#include "base/shell.hpp"
#include "json/shown_text.hpp"

#include <string_view>

namespace json {

namespace {

constexpr char first_printable = 0x20;
constexpr char last_printable = 0x7E;

bool is_itself(char c) {
    return c >= first_printable && c <= last_printable &&
           std::string_view("'\\%").find(c) == std::string_view::npos;
}

void append_octal(std::string& out, unsigned char byte) {
    out += '\\';
    for (int shift : {6, 3, 0})
        out += static_cast<char>('0' + (byte >> shift & 7));
}

}  // namespace

std::string shown_word(const std::string& text) {
    if (shown_text(text) == text) return base::shell_word(text);
    std::string word = "\"$(printf '";
    for (char c : text) {
        if (is_itself(c))
            word += c;
        else if (c == '%')
            word += "%%";
        else
            append_octal(word, static_cast<unsigned char>(c));
    }
    return word + "')\"";
}

}  // namespace json
