#include "mcp/terminal_hint.hpp"

#include "base/text.hpp"
#include "terminal/size.hpp"

#include <iostream>
#include <unistd.h>

namespace mcp {

void hint_on_terminal(std::string_view command) {
    if (!terminal::is_terminal(STDIN_FILENO)) return;
    std::cerr << base::concat(
        "This server reads the messages of a client from stdin. Clients start it "
        "themselves: `",
        command, " --setup CLIENT` says how to configure them. Ctrl-C ends it.\n");
}

}  // namespace mcp
