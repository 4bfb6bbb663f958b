// A number as a person writes it. Pure.
#pragma once

#include <string>

namespace base {

// The shortest text without an exponent that reads as the same number: "0.000001", "1000000000".
std::string plain_number(double number);

}  // namespace base
