// Schemas of schemas. Internal to json_schema/outline.
#pragma once

#include "json/json.hpp"
#include "json_schema/drafts.hpp"

namespace json_schema {

// The meta-schema of the draft, generated from the table of keywords: it requires that the supported keywords
// have values of the right shape. It uses only keywords with the same meaning in all drafts. Valid until the
// program ends. `draft` is not `unnamed`.
json::View meta_schema(Draft draft);

}  // namespace json_schema
