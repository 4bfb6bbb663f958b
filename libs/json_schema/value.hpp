// Converts JSON text to the tree that valijson validates. Internal to json_schema/schema.
#pragma once

#include "json/json.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace json_schema {

// Encodes numbers by what schemas distinguish: a number without a fraction (1, 1.0, 1e2) is an int64; one
// that does not fit (30 digits, 1e400) is a uint64 with the bits of its double; any other number is a double.
// So equal numbers are equal trees. Of several members with the same name, the last is used.
boost::json::value to_value(json::View view, boost::json::storage_ptr storage = {});

// The number, in any notation, if it has no fraction and fits.
std::optional<std::int64_t> whole_number(json::View number);

bool is_number(const boost::json::value& value);
bool is_integer(const boost::json::value& value);  // has no fraction; any size
double to_double(const boost::json::value& number);

std::string_view text_of(const boost::json::value& string);

// "a string", "an array", …
const char* kind_name(const boost::json::value& value);

}  // namespace json_schema
