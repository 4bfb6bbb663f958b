#include "terminal/escapes.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstddef>

namespace terminal {

namespace {

bool is_in(char c, unsigned char first, unsigned char last) {
    auto byte = static_cast<unsigned char>(c);
    return byte >= first && byte <= last;
}

// Up to BEL or ESC \; an unfinished one ends with the text.
std::size_t string_sequence_size(std::string_view text) {
    for (std::size_t at = 2; at < text.size(); ++at) {
        if (text[at] == '\x07') return at + 1;
        if (text[at] == '\x1b') return std::min(at + 2, text.size());
    }
    return text.size();
}

// Of the escape sequence with which the text begins (ECMA-48).
std::size_t sequence_size(std::string_view text) {
    if (text.size() < 2) return text.size();
    if (std::string_view("]PX^_").find(text[1]) != std::string_view::npos) return string_sequence_size(text);
    const bool is_csi = text[1] == '[';
    std::size_t at = is_csi ? 2 : 1;
    while (at < text.size() && is_in(text[at], 0x20, is_csi ? 0x3f : 0x2f))
        ++at;
    return std::min(at + 1, text.size());
}

bool is_sgr(std::string_view sequence) {
    return sequence.size() > 2 && sequence[1] == '[' && sequence.back() == 'm' &&
           sequence.find_first_not_of("0123456789;:", 2) == sequence.size() - 1;
}

// C1 control characters in UTF-8, U+0080 to U+009F, which may begin a sequence as well.
bool is_c1(std::string_view text) {
    return text.size() > 1 && text[0] == '\xc2' && is_in(text[1], 0x80, 0x9f);
}

std::string_view visible_part(std::string_view line) {
    while (line.ends_with('\r'))
        line.remove_suffix(1);
    std::size_t overwritten = line.rfind('\r');
    return overwritten == std::string_view::npos ? line : line.substr(overwritten + 1);
}

}  // namespace

std::string without_escapes(std::string_view line, Colors colors) {
    std::string text;
    bool has_color = false;
    for (std::string_view rest = visible_part(line); !rest.empty();) {
        std::size_t size = 1;
        if (rest[0] == '\x1b') {
            size = sequence_size(rest);
            if (colors == Colors::kept && is_sgr(rest.substr(0, size))) {
                text += rest.substr(0, size);
                has_color = true;
            }
        } else if (is_c1(rest)) {
            size = 2;
        } else if (rest[0] == '\t' || (!is_in(rest[0], 0, 0x1f) && rest[0] != '\x7f')) {
            text += rest[0];
        }
        rest.remove_prefix(size);
    }
    return has_color ? base::concat(text, "\x1b[0m") : text;
}

}  // namespace terminal
