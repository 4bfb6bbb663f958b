// UTF-8, a sequence at a time. Private to libs/json; others use json::invalid_utf8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace json::utf8 {

// The length (1 to 4) of the well-formed sequence that `text`, not empty, starts with; 0 if it starts with
// none.
std::size_t sequence_length(std::string_view text);

bool is_ascii(std::string_view text);

// Code points in `text`, which is valid UTF-8 (else: bytes that start none or continue none are not counted).
std::size_t code_points(std::string_view text);

struct CodePoint {
    std::uint32_t value;
    std::size_t length;  // in bytes
};
// The code point that `text`, valid UTF-8 and not empty, starts with. (Of a byte that starts none: its
// value.)
CodePoint first_code_point(std::string_view text);

void append(std::string& out, std::uint32_t code_point);

}  // namespace json::utf8
