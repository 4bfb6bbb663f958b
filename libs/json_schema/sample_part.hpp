// One subschema of a schema as a schema of its own, so that the validator can judge a part of a value by
// itself. Inner part of json_schema/sample.
#pragma once

#include "json_schema/outline.hpp"
#include "json_schema/schema.hpp"

#include <memory>

namespace json_schema {

// Null where the part can't stand alone: `false` in draft-04, or a chain of schemas as long as is allowed.
std::shared_ptr<const Schema> compile_part(const SchemaOutline& outline, json::View part);

}  // namespace json_schema
