#include "base/json_utf8.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <cstring>

namespace json {

namespace utf8 {

namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

bool continues(unsigned byte, unsigned from = 0x80, unsigned to = 0xBF) {
    return byte >= from && byte <= to;
}

// The second byte's range is what rules out overlong forms, surrogates and what lies past U+10FFFF.
bool second_byte_fits(unsigned first, unsigned second) {
    switch (first) {
        case 0xE0:
            return continues(second, 0xA0);
        case 0xED:
            return continues(second, 0x80, 0x9F);
        case 0xF0:
            return continues(second, 0x90);
        case 0xF4:
            return continues(second, 0x80, 0x8F);
        default:
            return continues(second);
    }
}

std::size_t length_by_first(unsigned first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return 2;
    if (first >= 0xE0 && first <= 0xEF) return 3;
    if (first >= 0xF0 && first <= 0xF4) return 4;
    return 0;
}

}  // namespace

std::size_t sequence_length(std::string_view text) {
    unsigned first = byte_at(text, 0);
    std::size_t length = length_by_first(first);
    if (length < 2) return length;
    if (!second_byte_fits(first, byte_at(text, 1))) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if (!continues(byte_at(text, i))) return 0;
    }
    return length;
}

std::size_t ascii_prefix(std::string_view text) {
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, text.data() + at, 8);
        if (eight & 0x8080808080808080U) break;
    }
    while (at < text.size() && byte_at(text, at) < 0x80)
        ++at;
    return at;
}

std::size_t code_points(std::string_view text) {
    auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts));
}

CodePoint first_code_point(std::string_view text) {
    std::size_t length = sequence_length(text);
    std::uint32_t value = byte_at(text, 0);
    if (length < 2) return {value, 1};
    value &= 0xFFU >> (length + 1);
    for (std::size_t i = 1; i < length; ++i)
        value = (value << 6) | (byte_at(text, i) & 0x3FU);
    return {value, length};
}

void append(std::string& out, std::uint32_t code_point) {
    auto put = [&](std::uint32_t byte) {
        out.push_back(static_cast<char>(static_cast<unsigned char>(byte)));
    };
    auto put_rest = [&](int shift) { put(0x80U | ((code_point >> shift) & 0x3FU)); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0U | (code_point >> 6));
        put_rest(0);
    } else if (code_point < 0x10000) {
        put(0xE0U | (code_point >> 12));
        put_rest(6);
        put_rest(0);
    } else {
        put(0xF0U | (code_point >> 18));
        put_rest(12);
        put_rest(6);
        put_rest(0);
    }
}

}  // namespace utf8

std::optional<std::size_t> invalid_utf8(std::string_view text) {
    std::size_t at = 0;
    while (true) {
        at += utf8::ascii_prefix(text.substr(at));
        if (at == text.size()) return std::nullopt;
        std::size_t length = utf8::sequence_length(text.substr(at));
        if (length == 0) return at;
        at += length;
    }
}

}  // namespace json
