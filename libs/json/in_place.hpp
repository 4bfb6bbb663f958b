// compact() without a second text: what is large is there once.
#pragma once

#include <string>

namespace json {

// Checked text (either dialect), as compact() has its value.
std::string compact_in_place(std::string checked);

}  // namespace json
