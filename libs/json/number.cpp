#include "json/number.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace json {

std::string number_text(double number) {
    if (!std::isfinite(number)) return "null";
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

}  // namespace json
