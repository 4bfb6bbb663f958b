// A number as JSON text. Pure.
#pragma once

#include <string>

namespace json {

// The shortest text that reads as the same number: "0.3", "1e+20". "null" for a number that JSON
// does not have: an infinite one, or none.
std::string number_text(double number);

}  // namespace json
