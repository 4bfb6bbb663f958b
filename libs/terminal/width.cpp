#include "terminal/width.hpp"

#include "base/columns.hpp"

#include <algorithm>

namespace terminal {

namespace {

constexpr std::string_view ellipsis = "…";
constexpr std::string_view all_plain = "\x1b[0m";

// A character, an SGR sequence, or a byte that is neither.
struct Piece {
    std::size_t bytes = 1;
    std::size_t columns = 1;
    bool is_sgr = false;
    bool is_valid = true;
};

std::size_t sgr_length(std::string_view text) {
    if (!text.starts_with("\x1b[")) return 0;
    auto end = text.find_first_not_of("0123456789;", 2);
    return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::size_t bytes_announced_by(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return 2;
    if (first >= 0xe0 && first < 0xf0) return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

Piece character(std::string_view text) {
    constexpr Piece invalid{1, 1, false, false};
    auto first = static_cast<unsigned char>(text.front());
    std::size_t length = bytes_announced_by(first);
    if (length == 0 || length > text.size()) return invalid;
    if (length == 1) return {1, base::columns(first), false, !base::is_control(first)};
    char32_t code_point = first & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xc0u) != 0x80) return invalid;
        code_point = code_point << 6 | (byte & 0x3fu);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = code_point >= 0xd800 && code_point < 0xe000;
    if (code_point < least[length] || code_point > 0x10ffff || surrogate) return invalid;
    if (base::is_control(code_point)) return {length, 1, false, false};
    return {length, base::columns(code_point), false, true};
}

Piece first_piece(std::string_view text) {
    if (std::size_t sgr = sgr_length(text); sgr > 0) return {sgr, 0, true, true};
    return character(text);
}

// The printable ASCII at the beginning of `text`, in which each byte is a character.
std::string_view ascii_of(std::string_view text) {
    const auto* end = std::ranges::find_if_not(text, [](char c) { return c >= ' ' && c <= '~'; });
    return text.substr(0, static_cast<std::size_t>(end - text.data()));
}

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::string_view ascii = ascii_of(text);
        result += ascii;
        text.remove_prefix(ascii.size());
        if (text.empty()) break;
        Piece piece = character(text);
        result += piece.is_valid ? text.substr(0, piece.bytes) : std::string_view("?");
        text.remove_prefix(piece.bytes);
    }
    return result;
}

std::size_t width(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        Piece piece = first_piece(text);
        columns += piece.columns;
        text.remove_prefix(piece.bytes);
    }
    return columns;
}

std::string cut(std::string_view text, std::size_t columns) {
    if (width(text) <= columns) return std::string(text);
    if (columns == 0) return "";
    std::string result;
    bool coloured = false;
    std::size_t left = columns - 1;
    for (Piece piece = first_piece(text); piece.columns <= left; piece = first_piece(text)) {
        result += text.substr(0, piece.bytes);
        coloured = coloured || piece.is_sgr;
        left -= piece.columns;
        text.remove_prefix(piece.bytes);
    }
    result += ellipsis;
    if (coloured) result += all_plain;
    return result;
}

std::string pad_right(std::string_view text, std::size_t columns) {
    std::string result = cut(text, columns);
    return result.append(columns - width(result), ' ');
}

std::string pad_left(std::string_view text, std::size_t columns) {
    std::string result = cut(text, columns);
    return result.insert(0, columns - width(result), ' ');
}

}  // namespace terminal
