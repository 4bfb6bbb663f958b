// Makes up a value that satisfies a schema, for stubs. Pure and deterministic. Not a generator of
// test data: it returns the simplest value that it finds.
#pragma once

#include "base/error.hpp"
#include "json_schema/schema.hpp"

#include <cstddef>
#include <string>

namespace json_schema {

// Compact JSON that the schema's validator has accepted; the same for the same variation. Values from the
// schema ("const", "enum", "examples", "default") are preferred. The search is bounded: an error says that no
// value was found, where in the schema, and why the last attempt failed. It does not mean that there is none.
base::Result<std::string> sample_value(const Schema& schema, std::size_t variation = 0);

}  // namespace json_schema
