// compact() without a second buffer, so that a large text is in memory only once.
#pragma once

#include <string>

namespace json {

// `checked` has passed check() (either dialect). The result is the same as that of compact().
std::string compact_in_place(std::string checked);

}  // namespace json
