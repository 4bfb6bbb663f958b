// Quoting for shell commands.
#pragma once

#include <string>

namespace base {

// `text` as one word of a shell command; quoted only if the shell would otherwise interpret it.
std::string shell_word(const std::string& text);

}  // namespace base
