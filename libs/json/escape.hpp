// A text as the strings of JSON contain it, without the quotes. Pure.
#pragma once

#include <string>
#include <string_view>

namespace json {

enum class Escapes {
    required,       // quotes, backslashes and control characters: as quote() writes them
    all_but_ascii,  // all characters that are not ASCII as well, as \u escapes
};

// Invalid UTF-8 is replaced by U+FFFD.
std::string escaped(std::string_view text, Escapes escapes);

}  // namespace json
