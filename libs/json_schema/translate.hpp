// Translates a schema for valijson: to the keywords of draft-07 (those of draft-04 are kept), without
// annotations, each rule under its own name, each target of a $ref under "#/definitions/<number>". (valijson
// finds schemas by a path without escapes, so different paths of the author's could be taken for the same.)
// Internal to json_schema/schema.
#pragma once

#include "json_schema/outline.hpp"

#include <boost/json/value.hpp>

namespace json_schema {

// `part` is a subschema of the outline, which has no problems.
boost::json::value translate(const SchemaOutline& outline, json::View part);

}  // namespace json_schema
