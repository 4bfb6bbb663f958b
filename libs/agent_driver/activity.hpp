// What an agent is doing, as a line for people. For this room only.
#pragma once

#include "json/json.hpp"

#include <string>
#include <string_view>

namespace agent_driver {

// `verb` and `object`. A path in `directory` is given relative to it.
std::string activity_text(std::string_view verb, std::string_view object, std::string_view directory);

// The activity's text for a tool call: the tool's name and what it works on, which is the member of `input`
// that tells most.
std::string tool_text(std::string_view tool, json::View input, std::string_view directory);

// The text on one line, shortened if it is long. It has no secrets any more.
std::string activity_line(std::string text);

}  // namespace agent_driver
