// How clients are configured to start a server: what to write into which of their files, or which
// command does it. Pure.
#pragma once

#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mcp {

enum class ClientKind { claude, codex, gemini, cursor, vscode, json };

// Nothing if no client has this name.
std::optional<ClientKind> client_named(std::string_view name);

// How a client starts the server. It is called `name` there.
struct ServerCommand {
    std::string name;  // letters, digits, '_' and '-'
    std::string program;
    std::vector<std::string> arguments;
    std::vector<std::string> arguments_here = {};  // more, for a client in this directory only
};

// Where the client's file is: in which directory, and its name there.
struct SettingsFile {
    enum class Place { project, codex_home, gemini_home };
    Place place;
    std::string name;
};
// Nothing if this client has none that is known.
std::optional<SettingsFile> settings_file(ClientKind client);

// What the file contains if there is nothing else in it.
std::string settings_of(ClientKind client, const ServerCommand& server);

// The text of the file with the server in it, and all else as it was; the same text if it is there already.
// Errors: another server has this name, the text is not what the client can read, or nothing can be added to
// it. `path` is for messages.
base::Result<std::string> with_server(ClientKind client, const ServerCommand& server, std::string_view text,
                                      std::string_view path);

// How else the server can be set up: the client's own command. May be empty.
std::string other_ways(ClientKind client, const ServerCommand& server);

// What the user has to do, or should know, when the server is in the file. May be empty.
std::string what_follows(ClientKind client, const ServerCommand& server);

}  // namespace mcp
