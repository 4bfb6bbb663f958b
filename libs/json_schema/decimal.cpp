#include "json_schema/decimal.hpp"

#include "json_schema/value.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace json_schema {

namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t magnitude(std::int64_t number) {
    return number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

// "-1.25e+07"
Decimal parse(std::string_view text) {
    std::size_t e = text.find('e');
    Decimal decimal;
    std::size_t point = e;
    for (std::size_t i = 0; i < e; ++i) {
        if (text[i] == '.') point = i;
        if (text[i] >= '0' && text[i] <= '9')
            decimal.digits = 10 * decimal.digits + static_cast<std::uint64_t>(text[i] - '0');
    }
    std::string_view exponent = text.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.exponent);
    if (point < e) decimal.exponent -= static_cast<int>(e - point - 1);
    return decimal;
}

Decimal decimal_of_double(double number) {
    if (std::isinf(number)) return {1, 400};  // 1e400, for example: that is all that is left of it
    std::array<char, 32> text;
    auto end =
        std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::scientific).ptr;
    return parse(std::string_view(text.data(), end));
}

}  // namespace

Decimal decimal_of(const boost::json::value& number) {
    if (number.is_int64()) return {magnitude(number.get_int64()), 0};
    return decimal_of_double(to_double(number));
}

bool is_multiple(Decimal number, Decimal divisor) {
    Wide rest = number.digits;
    Wide by = divisor.digits;
    int shift = number.exponent - divisor.exponent;
    for (; shift < 0; ++shift) {
        if (by > rest) return rest == 0;
        by *= 10;
    }
    for (rest %= by; shift > 0 && rest != 0; --shift)
        rest = rest * 10 % by;
    return rest == 0;
}

}  // namespace json_schema
