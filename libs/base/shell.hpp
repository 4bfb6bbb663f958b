// Text for a shell.
#pragma once

#include <string>

namespace base {

// `text` as one word of a command line: as it stands, or in quotes if a shell would take it for more.
std::string shell_word(const std::string& text);

}  // namespace base
