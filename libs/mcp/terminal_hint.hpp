// The hint for a person who starts a server on a terminal.
#pragma once

#include <string_view>

namespace mcp {

// Prints to stderr that a client starts the server, if stdin is a terminal. `command` is "troupe mcp", for
// instance.
void hint_on_terminal(std::string_view command);

}  // namespace mcp
