// Classes of characters in ASCII, whatever the locale.
#pragma once

namespace base {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace base
