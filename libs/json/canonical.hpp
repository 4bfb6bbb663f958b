// One text for all texts that mean the same JSON value. Pure.
#pragma once

#include "json/json.hpp"

#include <string>

namespace json {

// The value without white space, with the members of each object in the order of their names, and each string
// escaped in one way. Numbers stay as they were written: 1 and 1.0 are different values.
std::string canonical(View value);

}  // namespace json
