// The JSON Schema of a response, in the form in which model providers take it. Pure.
#pragma once

#include <string>
#include <string_view>

namespace agent_driver {

// The schema of {"tasks": [...]}, where `schema` is that of the array: providers want an object at the root.
// References within `schema` are adjusted to its new place. Empty if `schema` is not a JSON object.
std::string wrapped_schema(std::string_view schema);

// Whether OpenAI's strict mode takes `schema`: every object forbids other members and requires all that it
// names, and no keyword has a meaning that the mode does not know. Codex always asks for this mode, and a
// request with another schema fails.
bool is_strict(std::string_view schema);

}  // namespace agent_driver
