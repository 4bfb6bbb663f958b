// A text as the strings of JSON contain it, without the quotes. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace json {

enum class Escapes {
    required,       // quotes, backslashes and control characters: as quote() writes them
    all_but_ascii,  // all characters that are not ASCII as well, as \u escapes
};

// Invalid UTF-8 is replaced by U+FFFD.
std::string escaped(std::string_view text, Escapes escapes);

// A string of JSON, with its quotes, of which a reader gets at most `bytes` bytes: the beginning of `text`.
// Invalid UTF-8 is replaced by U+FFFD, which is longer than what it replaces.
std::string quote_beginning(std::string_view text, std::size_t bytes);

}  // namespace json
