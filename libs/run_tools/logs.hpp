// What the commands of a run have written, as `read_logs` of `barnum mcp` shows it. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace run_tools {

// {"kind":"Logs","outputs":[…],"earlier_lines":N} of lines as `barnum logs --json` prints them: the last
// ones, at most `most`. Each output has the lines of one stream of one phase of an attempt. `stream`: only of
// this one; empty: of both.
std::string logs_result(std::string_view lines, std::size_t most, std::string_view stream);

}  // namespace run_tools
