// Concatenation of text and numbers.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace base {

inline void append_piece(std::string& out, std::string_view piece) {
    out.append(piece);
}

inline void append_piece(std::string& out, char piece) {
    out.push_back(piece);
}

template<std::integral T>
requires(!std::same_as<T, char> && !std::same_as<T, bool>) void append_piece(std::string& out, T number) {
    char digits[24];
    auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(digits, end);
}

// A function that returns a piece. It is called only if the text is needed, for example if a log line is
// printed.
template<std::invocable Lazy>
void append_piece(std::string& out, const Lazy& lazy) {
    append_piece(out, lazy());
}

// The number of bytes to reserve for a piece; for a number, an estimate.
template<class Piece>
std::size_t expected_size(const Piece& piece) {
    if constexpr (std::convertible_to<const Piece&, std::string_view>)
        return std::string_view(piece).size();
    else
        return 8;
}

// concat("a", 1, 'c') == "a1c". Numbers are decimal.
template<class... Pieces>
std::string concat(const Pieces&... pieces) {
    std::string out;
    out.reserve((expected_size(pieces) + ... + 0));
    (append_piece(out, pieces), ...);
    return out;
}

// "1 task", "2 tasks". `noun` is the singular; the plural appends an s.
inline std::string counted(std::size_t count, std::string_view noun) {
    return concat(count, " ", noun, count == 1 ? "" : "s");
}

}  // namespace base
