// Half a surrogate pair in JSON text, which some programs write and which is no character. For this room
// only.
#pragma once

#include <string>
#include <string_view>

namespace agent_driver {

// `json` with each escape \uD800 to \uDFFF that is not one of a pair written as \uFFFD, the replacement
// character. Everything else stays as it is, also if it is not valid JSON.
std::string without_half_surrogates(std::string_view json);

}  // namespace agent_driver
