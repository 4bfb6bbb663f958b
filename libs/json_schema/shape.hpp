// Checks that the value of a keyword has the required form. Internal to json_schema/schema.
#pragma once

#include "json/json.hpp"
#include "json_schema/keywords.hpp"

#include <string>

namespace json_schema {

// "" if it has; otherwise what it must be: "must be a string". Does not check subschemas.
std::string shape_error(Shape shape, json::View value, Draft draft);

}  // namespace json_schema
