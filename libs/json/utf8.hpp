// UTF-8 decoding, one sequence at a time. Private to libs/json; other rooms use json::invalid_utf8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace json::utf8 {

// The length (1 to 4) of the well-formed sequence at the start of `text`, which is not empty; 0 if there is
// none.
std::size_t sequence_length(std::string_view text);

bool is_ascii(std::string_view text);

// The number of code points in `text`, which is valid UTF-8. (In invalid text, bytes that belong to no
// sequence are not counted.)
std::size_t code_points(std::string_view text);

struct CodePoint {
    std::uint32_t value;
    std::size_t length;  // in bytes
};
// The first code point of `text`, which is valid UTF-8 and not empty. (For an invalid first byte, the byte's
// value.)
CodePoint first_code_point(std::string_view text);

void append(std::string& out, std::uint32_t code_point);

}  // namespace json::utf8
