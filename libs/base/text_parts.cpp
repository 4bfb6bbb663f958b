#include "base/text_parts.hpp"

#include "base/character.hpp"

namespace base {

namespace {

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

std::string_view cut_to(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    while (bytes > 0 && continues_character(text[bytes]))
        --bytes;
    return text.substr(0, bytes);
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(blanks) == text.npos;
}

}  // namespace base
