#include "json_schema/value.hpp"

#include "json/scanner.hpp"

#include <boost/json/value_stack.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

namespace json_schema {

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

// Whether the number has no fraction. Decided by its digits, which a double may lose: 1.0, 1e400 and 1200e-2
// have none, 12345678901234567890.5 and 1e-400 have one.
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

// Builds the tree in one pass over the text.
class TreeBuilder {
  public:
    explicit TreeBuilder(json::View view) : scanner_(view.text()) {}

    boost::json::value build(boost::json::storage_ptr storage) {
        stack_.reset(std::move(storage));
        push_value();
        return stack_.release();
    }

  private:
    void push_value();
    void push_array();
    void push_object();
    void push_number(json::View view);

    json::Scanner scanner_;
    std::string decoded_;
    unsigned char room_[4096];
    boost::json::value_stack stack_{{}, room_, sizeof room_};
};

void TreeBuilder::push_value() {
    char first = scanner_.peek();
    if (first == '[') return push_array();
    if (first == '{') return push_object();
    json::View scalar = scanner_.value();
    switch (scalar.kind()) {
        case json::Kind::string:
            return stack_.push_string(scalar.string(decoded_));
        case json::Kind::boolean:
            return stack_.push_bool(scalar.boolean());
        case json::Kind::number:
            return push_number(scalar);
        default:
            return stack_.push_null();
    }
}

void TreeBuilder::push_array() {
    std::size_t size = 0;
    scanner_.skip('[');
    for (; !scanner_.skip(']'); ++size) {
        push_value();
        scanner_.skip(',');
    }
    stack_.push_array(size);
}

void TreeBuilder::push_object() {
    std::size_t size = 0;
    scanner_.skip('{');
    for (; !scanner_.skip('}'); ++size) {
        stack_.push_key(scanner_.value().string(decoded_));
        scanner_.skip(':');
        push_value();
        scanner_.skip(',');
    }
    stack_.push_object(size);
}

void TreeBuilder::push_number(json::View view) {
    if (auto integer = view.integer()) return stack_.push_int64(*integer);
    double number = view.number();
    if (!has_no_fraction(view.text())) return stack_.push_double(number);
    constexpr double two_to_63 = 9223372036854775808.0;
    if (number >= -two_to_63 && number < two_to_63)
        stack_.push_int64(static_cast<std::int64_t>(number));
    else
        stack_.push_uint64(std::bit_cast<std::uint64_t>(number));
}

}  // namespace

boost::json::value to_value(json::View view, boost::json::storage_ptr storage) {
    return TreeBuilder(view).build(std::move(storage));
}

std::optional<std::int64_t> whole_number(json::View number) {
    boost::json::value value = to_value(number);
    return value.is_int64() ? std::optional(value.get_int64()) : std::nullopt;
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

std::string_view text_of(const boost::json::value& string) {
    return {string.get_string().data(), string.get_string().size()};
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

}  // namespace json_schema
