// An argument of a command line that is JSON text, or the path of a file with such text.
#pragma once

#include "base/error.hpp"

#include <string>

namespace launch {

// What is expected, for the help.
inline constexpr const char* json_or_file = "JSON text in quotes, or the path of a file with JSON";

struct JsonArgument {
    std::string name;  // of the file, or <inline>
    std::string text;  // not necessarily JSON: what looks like it is taken for text with a mistake
};

// `option` is named in the error. A path may begin like a comment does.
base::Result<JsonArgument> json_argument(const std::string& argument, const std::string& option);

}  // namespace launch
