#include "json/utf8.hpp"

#include "json/blocks.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <array>

namespace json {

namespace utf8 {

namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
    return static_cast<unsigned char>(text[i]);
}

bool continues(unsigned byte) {
    return (byte & 0xC0U) == 0x80;
}

// What a first byte implies: the length of its sequence (0 if no sequence begins with it), and the range of
// the second byte, which excludes overlong forms, surrogates and code points above U+10FFFF.
struct Form {
    unsigned char length = 0;
    unsigned char second_from = 0x80;
    unsigned char second_to = 0xBF;
};

constexpr auto forms = [] {
    std::array<Form, 256> table{};
    for (std::size_t first = 0; first <= 0xF4; ++first) {
        if (first < 0x80) table[first].length = 1;
        if (first >= 0xC2) table[first].length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    }
    table[0xE0].second_from = 0xA0;
    table[0xED].second_to = 0x9F;
    table[0xF0].second_from = 0x90;
    table[0xF4].second_to = 0x8F;
    return table;
}();

}  // namespace

std::size_t sequence_length(std::string_view text) {
    const Form& form = forms[byte_at(text, 0)];
    if (form.length > text.size()) return 0;
    if (form.length < 2) return form.length;
    unsigned second = byte_at(text, 1);
    if (second < form.second_from || second > form.second_to) return 0;
    bool rest_fits =
        (form.length < 3 || continues(byte_at(text, 2))) && (form.length < 4 || continues(byte_at(text, 3)));
    return rest_fits ? form.length : 0;
}

bool is_ascii(std::string_view text) {
    return blocks::find_offset<blocks::not_ascii>(text, 0) == text.size();
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
    while ((at = blocks::find_offset<blocks::not_ascii>(text, at)) < text.size()) {
        do {
            std::size_t length = utf8::sequence_length(text.substr(at));
            if (length == 0) return at;
            at += length;
        } while (at < text.size() && utf8::byte_at(text, at) >= 0x80);
    }
    return std::nullopt;
}

}  // namespace json
