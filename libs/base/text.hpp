// Putting strings together.
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

// What is to be put together only if it is needed, as in a line of the log.
template<std::invocable Lazy>
void append_piece(std::string& out, const Lazy& lazy) {
    append_piece(out, lazy());
}

// How much room to make for it; of a number, for a usual one.
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

// "1 task", "2 tasks"; `noun` in the singular, its plural made with s.
inline std::string counted(std::size_t count, std::string_view noun) {
    return concat(count, " ", noun, count == 1 ? "" : "s");
}

}  // namespace base
