// The JSON Schema of a config, for editors and other programs: made of the table of fields. It is a little
// wider than what is accepted: that a name in "next" is a step's, for instance, no schema can say.
#pragma once

#include <string>

namespace config {

// A draft-07 schema, indented.
std::string schema_document();

}  // namespace config
