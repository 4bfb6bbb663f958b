// Text as markdown. Pure.
#pragma once

#include <string>
#include <string_view>

namespace base {

// A fenced code block, without a newline at its end. The fence is longer than any run of backticks in the
// text.
std::string code_block(std::string_view language, std::string_view text);

}  // namespace base
