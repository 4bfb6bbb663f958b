// The options --setup and --write of the commands that serve a client, and what they do.
#pragma once

#include "base/error.hpp"
#include "cli/option.hpp"
#include "mcp/client_setup.hpp"

#include <optional>
#include <string>

namespace mcp {

struct SetupOptions {
    std::optional<ClientKind> client;
    bool writes = false;
};

cli::Option setup_option();  // its text is for client_named()
cli::Option write_option();

// Throws boost::program_options::error if the options do not belong together.
void check(const SetupOptions& options);

// The absolute path of this program: a client may start it anywhere. `name` if it cannot be found.
std::string own_program(const std::string& name);

// Configures the client, which is given, and prints to stdout what set_up_client() returns.
base::Result<void> set_up(const SetupOptions& options, const ServerCommand& server);

}  // namespace mcp
