// Adds a server to a client's settings file, or says how the user can.
#pragma once

#include "base/error.hpp"
#include "mcp/client_setup.hpp"

#include <string>

namespace mcp {

// What to print: what belongs where. With `writes`, which needs a client with a settings_file(), it is put
// there, and the result shows the difference.
base::Result<std::string> set_up_client(ClientKind client, const ServerCommand& server, bool writes);

}  // namespace mcp
