// Numbers as JSON writes them, which a double only approximates: 0.3 is three times 0.1, and 1e30 no multiple
// of 3. For this room only.
#pragma once

#include <boost/json/value.hpp>

#include <cstdint>

namespace json_schema {

struct Decimal {
    std::uint64_t digits = 0;  // without the sign
    int exponent = 0;          // the number is digits * 10^exponent
};

// A number as to_value() encodes it. For a double, it is the shortest text that is read as that double again.
Decimal decimal_of(const boost::json::value& number);

// The result is exact. `divisor` is not 0.
bool is_multiple(Decimal number, Decimal divisor);

}  // namespace json_schema
