// A schema as valijson gets it: in the words of draft-07 (draft-04's are left), annotations left out, each
// rule under its own name, each $ref's target put under "#/definitions/<number>". (valijson finds schemas by
// a path without escapes, so that the author's own paths could meet.) Inner part of json_schema/schema.
#pragma once

#include "json_schema/outline.hpp"

#include <boost/json/value.hpp>

namespace json_schema {

// `part` is a subschema of the outline, which has no problems.
boost::json::value translate(const SchemaOutline& outline, json::View part);

}  // namespace json_schema
