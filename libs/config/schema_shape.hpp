// Whether the value of a keyword is what the keyword wants. Inner part of config/schema.
#pragma once

#include "base/json.hpp"
#include "config/schema_keywords.hpp"

#include <string>

namespace config {

// "" if it is, else what it must be: "must be a string". Does not look into subschemas.
std::string shape_error(Shape shape, json::View value, Draft draft);

}  // namespace config
