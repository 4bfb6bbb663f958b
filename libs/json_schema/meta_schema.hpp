// Schemas of schemas. Inner part of json_schema/outline.
#pragma once

#include "json/json.hpp"
#include "json_schema/drafts.hpp"

namespace json_schema {

// What a schema of that draft looks like, made of the table of keywords: those that are supported have values
// of the right shape. Itself a schema, in words that mean the same in all drafts. Lives as long as the
// program. `draft` is not `unnamed`.
json::View meta_schema(Draft draft);

}  // namespace json_schema
