// JSON text as the tree that valijson looks at. Inner part of json_schema/schema.
#pragma once

#include "json/json.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace json_schema {

// Numbers are encoded by what a schema asks of them: a number without a fraction (1, 1.0, 1e2) is an int64;
// one that does not fit (30 digits, 1e400) is a uint64 that holds the bits of its double; any other is a
// double. Hence equal numbers are equal trees. Of a name that stands twice, the last counts.
boost::json::value to_value(json::View view, boost::json::storage_ptr storage = {});

// The number if it has no fraction, however it is written, and fits.
std::optional<std::int64_t> whole_number(json::View number);

bool is_number(const boost::json::value& value);
bool is_integer(const boost::json::value& value);  // has no fraction; of any size
double to_double(const boost::json::value& number);

std::string_view text_of(const boost::json::value& string);

// "a string", "an array", …
const char* kind_name(const boost::json::value& value);

}  // namespace json_schema
