#include "base/plain_number.hpp"

#include <array>
#include <charconv>

namespace base {

std::string plain_number(double number) {
    std::array<char, 400>
        text;  // the smallest numbers have 324 digits after the point, the largest 309 before it
    auto [end, error] = std::to_chars(text.begin(), text.end(), number, std::chars_format::fixed);
    return {text.begin(), end};
}

}  // namespace base
