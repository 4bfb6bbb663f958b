// The servers of tools (Model Context Protocol) that an agent's settings name: a file of the form that Claude
// Code reads. Does not read the file. Pure.
#pragma once

#include "agent_driver/settings.hpp"
#include "base/error.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

// Has either a command or a url.
struct McpServer {
    std::string name;     // letters, digits, '-' and '_'
    std::string command;  // the program that is started: an absolute path, or a name to look up in PATH
    std::vector<std::string> arguments;
    std::vector<Variable> environment;
    std::string url;  // of a server that runs already
    std::vector<Variable> headers;
};

// {"mcpServers": {"NAME": {"command": "…", "args": […], "env": {…}}, "NAME": {"url": "…", "headers": {…}}}}.
// There is at least one server. The error says where the text is wrong, and what is allowed.
base::Result<std::vector<McpServer>> parse_mcp_servers(std::string_view text);

// Puts the values of variables in the place of ${NAME}, and for ${NAME:-TEXT} the text if there is none.
// `value_of` gives nothing for a variable that the program does not have: the error names it and the server.
// Fails, too, if a command is a relative path: the task's directory would decide what it is.
base::Result<void> fill_in_variables(
    std::vector<McpServer>& servers,
    const std::function<std::optional<std::string>(const std::string&)>& value_of);

}  // namespace agent_driver
