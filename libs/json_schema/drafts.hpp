// The supported drafts of JSON Schema. Internal to json_schema/schema.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace json_schema {

// `unnamed` is a schema without "$schema". It may use the keywords of all drafts except those of draft-04
// whose meaning changed later; keywords whose meaning changed after draft-07 have the meaning of 2020-12.
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

// The URI of the draft's meta-schema, without a fragment. `draft` is not `unnamed`.
std::string_view uri_of(Draft draft);

// The draft with this meta-schema. Accepts http and https, with an empty fragment or none.
std::optional<Draft> find_draft(std::string_view uri);

// "draft-04, …, 2019-09 and 2020-12"
std::string draft_names();

// Whether keywords next to a $ref are ignored.
bool ignores_siblings_of_reference(Draft draft);

}  // namespace json_schema
