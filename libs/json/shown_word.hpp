// Words of shell commands that are printed, to be copied. Pure.
#pragma once

#include <string>

namespace json {

// `text` as one word of a command, as base::shell_word(); what would not be printed as it is, because it is
// not UTF-8 or would be obeyed by a terminal, is written so that the shell makes it: "$(printf 'caf\351')".
std::string shown_word(const std::string& text);

}  // namespace json
