// The drafts of JSON Schema that are supported. Inner part of json_schema/schema.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace json_schema {

// `unnamed` is a schema without "$schema": it may use the words of all drafts but those of draft-04 that mean
// something else later, and what has changed its meaning since draft-07 is read as 2020-12 reads it.
enum class Draft : unsigned {
    draft4 = 1,
    draft6 = 2,
    draft7 = 4,
    draft2019 = 8,
    draft2020 = 16,
    unnamed = 32
};

// "draft-07", "2020-12"; "any draft" for `unnamed`.
std::string_view name_of(Draft draft);

// The URI of its meta-schema, without a fragment; `draft` is not `unnamed`.
std::string_view uri_of(Draft draft);

// The draft whose meta-schema that is, by http or https, with an empty fragment or none.
std::optional<Draft> find_draft(std::string_view uri);

// "draft-04, …, 2019-09 and 2020-12"
std::string draft_names();

// Whether keywords next to a $ref are ignored.
bool ignores_siblings_of_reference(Draft draft);

}  // namespace json_schema
