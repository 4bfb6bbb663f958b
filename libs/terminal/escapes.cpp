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

std::size_t sequence_size(std::string_view text) {
    if (text.size() < 2) return text.size();
    if (std::string_view("]PX^_").find(text[1]) != std::string_view::npos) return string_sequence_size(text);
    const bool is_csi = text[1] == '[';
    std::size_t at = is_csi ? 2 : 1;
    while (at < text.size() && is_in(text[at], 0x20, is_csi ? 0x3f : 0x2f))
        ++at;
    return std::min(at + 1, text.size());
}

std::size_t hidden_size(std::string_view text) {
    if (text.empty() || text[0] == '\t') return 0;
    if (text[0] == '\x1b') return sequence_size(text);
    if (is_c1(text)) return 2;
    return is_in(text[0], 0, 0x1f) || text[0] == '\x7f' ? 1 : 0;
}

std::string without_escapes(std::string_view line, Colors colors) {
    std::string text;
    bool has_color = false;
    for (std::string_view rest = visible_part(line); !rest.empty();) {
        const std::size_t hidden = hidden_size(rest);
        const std::string_view piece = rest.substr(0, std::max<std::size_t>(hidden, 1));
        const bool is_color = colors == Colors::kept && is_sgr(piece);
        if (hidden == 0 || is_color) text += piece;
        has_color = has_color || is_color;
        rest.remove_prefix(piece.size());
    }
    return has_color ? base::concat(text, "\x1b[0m") : text;
}

}  // namespace terminal
