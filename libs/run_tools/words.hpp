// Messages of commands in the words of the tools of `barnum mcp`: a model knows arguments and tools, and no
// command line. Pure.
#pragma once

#include <string>
#include <string_view>

namespace run_tools {

// "--entrypoint-value has 1 error" becomes "`entrypoint_value` has 1 error".
std::string in_tool_words(std::string_view message);

}  // namespace run_tools
