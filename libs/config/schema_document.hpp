// The JSON Schema of a config, for editors and other programs, generated from the table of fields. It accepts
// a little more than the parser: for example, it cannot require that a name in "next" is the name of a step.
#pragma once

#include <string>

namespace config {

// A draft-07 schema, indented.
std::string schema_document();

}  // namespace config
