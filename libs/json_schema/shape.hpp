// Whether the value of a keyword is what the keyword wants. Inner part of json_schema/schema.
#pragma once

#include "json/json.hpp"
#include "json_schema/keywords.hpp"

#include <string>

namespace json_schema {

// "" if it is, else what it must be: "must be a string". Does not look into subschemas.
std::string shape_error(Shape shape, json::View value, Draft draft);

}  // namespace json_schema
