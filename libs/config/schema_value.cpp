#include "config/schema_value.hpp"

#include "base/json_scanner.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace config {

namespace {

std::int64_t exponent_of(std::string_view digits) {
    constexpr std::int64_t more_than_any_text_is_long = 1'000'000'000'000;
    bool negative = digits.starts_with('-');
    if (negative || digits.starts_with('+')) digits.remove_prefix(1);
    std::int64_t exponent = 0;
    auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (parsed.ec != std::errc()) exponent = more_than_any_text_is_long;
    return negative ? -exponent : exponent;
}

std::size_t trailing_zeros(std::string_view digits) {
    std::size_t last = digits.find_last_not_of('0');
    return last == std::string_view::npos ? digits.size() : digits.size() - last - 1;
}

// Whether the number has no fraction, judged by its digits, which a double may have lost: 1.0, 1e400 and
// 1200e-2 have none, 12345678901234567890.5 and 1e-400 have one.
bool has_no_fraction(std::string_view text) {
    std::size_t e = std::min(text.find_first_of("eE"), text.size());
    std::int64_t exponent = e < text.size() ? exponent_of(text.substr(e + 1)) : 0;
    std::string_view mantissa = text.substr(0, e);
    std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    std::string_view whole = mantissa.substr(0, point);
    std::string_view fraction = point < mantissa.size() ? mantissa.substr(point + 1) : "";
    if (mantissa.find_first_of("123456789") == std::string_view::npos) return true;
    std::size_t zeros = trailing_zeros(fraction);
    if (zeros == fraction.size()) zeros += trailing_zeros(whole);
    return exponent - static_cast<std::int64_t>(fraction.size()) + static_cast<std::int64_t>(zeros) >= 0;
}

boost::json::value number_value(json::View view) {
    if (auto integer = view.integer()) return *integer;
    double number = view.number();
    if (!has_no_fraction(view.text())) return number;
    constexpr double two_to_63 = 9223372036854775808.0;
    if (number >= -two_to_63 && number < two_to_63) return static_cast<std::int64_t>(number);
    return std::bit_cast<std::uint64_t>(number);
}

boost::json::value read(json::Scanner& scanner);

boost::json::value read_array(json::Scanner& scanner) {
    boost::json::array array;
    scanner.skip('[');
    while (!scanner.skip(']')) {
        array.push_back(read(scanner));
        scanner.skip(',');
    }
    return array;
}

boost::json::value read_object(json::Scanner& scanner) {
    boost::json::object object;
    scanner.skip('{');
    while (!scanner.skip('}')) {
        std::string name = scanner.value().string();
        scanner.skip(':');
        object.insert_or_assign(name, read(scanner));
        scanner.skip(',');
    }
    return object;
}

// One pass, whatever the depth.
boost::json::value read(json::Scanner& scanner) {
    char first = scanner.peek();
    if (first == '[') return read_array(scanner);
    if (first == '{') return read_object(scanner);
    json::View scalar = scanner.value();
    switch (scalar.kind()) {
        case json::Kind::string:
            return boost::json::string(scalar.string());
        case json::Kind::boolean:
            return scalar.boolean();
        case json::Kind::number:
            return number_value(scalar);
        default:
            return nullptr;
    }
}

}  // namespace

boost::json::value to_value(json::View view) {
    json::Scanner scanner(view.text());
    return read(scanner);
}

bool is_number(const boost::json::value& value) {
    return value.is_number();
}

bool is_integer(const boost::json::value& value) {
    return value.is_int64() || value.is_uint64();
}

double to_double(const boost::json::value& number) {
    if (number.is_int64()) return static_cast<double>(number.get_int64());
    return number.is_uint64() ? std::bit_cast<double>(number.get_uint64()) : number.get_double();
}

const char* kind_name(const boost::json::value& value) {
    switch (value.kind()) {
        case boost::json::kind::null:
            return "null";
        case boost::json::kind::bool_:
            return "a boolean";
        case boost::json::kind::string:
            return "a string";
        case boost::json::kind::array:
            return "an array";
        case boost::json::kind::object:
            return "an object";
        default:
            return is_integer(value) ? "an integer" : "a number";
    }
}

}  // namespace config
