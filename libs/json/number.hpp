// A number as JSON text. Pure.
#pragma once

#include <string>

namespace json {

// The shortest text that reads as the same number: "0.3", "1e+20". The number is finite.
std::string number_text(double number);

}  // namespace json
