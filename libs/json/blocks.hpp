// Searches text for bytes, 16 bytes at a time. Private to libs/json.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace json::blocks {

// Vector extensions of g++ and clang, which compile to SIMD instructions on any processor. Comparing blocks
// gives a mask with -1 in each matching byte and 0 elsewhere.
using Block [[gnu::vector_size(16)]] = unsigned char;
using Mask [[gnu::vector_size(16)]] = signed char;

inline Block load(const char* at) {
    Block block;
    std::memcpy(&block, at, sizeof block);
    return block;
}

inline Mask not_ascii(Block block) {
    return std::bit_cast<Mask>(block) < 0;
}

inline Mask quote_or_backslash(Block block) {
    return (block == '"') | (block == '\\');
}

// Bytes that must be escaped in a JSON string.
inline Mask quote_backslash_or_control(Block block) {
    return (block == '"') | (block == '\\') | ((block & 0xE0) == 0);
}

// The mask as two 64-bit numbers.
inline auto halves(Mask mask) {
    using Halves [[gnu::vector_size(16)]] = std::uint64_t;
    return std::bit_cast<Halves>(mask);
}

inline bool any(Mask mask) {
    return (halves(mask)[0] | halves(mask)[1]) != 0;
}

// The index of the first matching byte; there must be one.
inline std::ptrdiff_t first(Mask mask) {
    bool is_left = halves(mask)[0] != 0;
    std::uint64_t half = halves(mask)[is_left ? 0 : 1];
    bool first_is_lowest = std::endian::native == std::endian::little;
    int bits = first_is_lowest ? std::countr_zero(half) : std::countl_zero(half);
    return (is_left ? 0 : 8) + bits / 8;
}

// find() for fewer bytes than a block.
template<Mask predicate(Block)>
[[gnu::noinline]] const char* find_in_rest(const char* at, const char* end) {
    if (at == end) return end;  // an empty text may have no address
    Block block{};
    std::memcpy(&block, at, static_cast<std::size_t>(end - at));
    Mask mask = predicate(block);
    return any(mask) ? std::min(at + first(mask), end) : end;
}

// The first byte from `at` on for which the predicate holds; `end` if there is none.
template<Mask predicate(Block)>
const char* find(const char* at, const char* end) {
    constexpr std::ptrdiff_t size = sizeof(Block);
    for (; end - at >= size; at += size) {
        Mask mask = predicate(load(at));
        if (any(mask)) return at + first(mask);
    }
    return find_in_rest<predicate>(at, end);
}

// As find(), with offsets; returns the text's size if there is none.
template<Mask predicate(Block)>
std::size_t find_offset(std::string_view text, std::size_t at) {
    const char* found = find<predicate>(text.data() + at, text.data() + text.size());
    return static_cast<std::size_t>(found - text.data());
}

}  // namespace json::blocks
