// A value made up to satisfy a schema, for a run whose tasks nobody does. Pure, and no source of test data:
// it is the plainest value that was found. Draws no lots.
#pragma once

#include "base/error.hpp"
#include "json_schema/schema.hpp"

#include <cstddef>
#include <string>

namespace json_schema {

// Compact JSON that the schema's own validator has accepted; always the same for the same variation. Values
// that the author gives ("const", "enum", "examples", "default") come first. The search has bounds: the error
// says that nothing was found, at which place of the schema, and what spoke against the last value tried; it
// does not say that there is no such value.
base::Result<std::string> sample_value(const Schema& schema, std::size_t variation = 0);

}  // namespace json_schema
