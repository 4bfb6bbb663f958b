// What a driver has to know of the machine on which it starts a program. Found out by agents/surroundings;
// the drivers look at nothing themselves.
#pragma once

#include "agent_driver/images.hpp"
#include "agent_driver/mcp_servers.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

struct Surroundings {
    // Where the program itself lies, absolute; a sandbox must be able to read it. Empty if it is not known.
    std::string program_place = {};
    // Absolute: the directory for files that are given to programs (Launch::files).
    std::string files = {};
    // The names of variables of this process that hold secrets, without those that the settings name.
    std::vector<std::string> secrets = {};
    // The servers in the file that the settings name, with the values of variables.
    std::vector<McpServer> mcp_servers = {};
    // The images that the task names.
    Images images = {};
    // Replaces secrets in a text that is to be shown or kept; may be empty.
    std::function<std::string(std::string_view text)> redact = {};
    // Takes a text in pieces, and gives what may be shown of it so far.
    using Filter = std::function<std::string(std::string_view piece, bool is_end)>;
    // A new one for each text; may be empty.
    std::function<Filter()> redact_pieces = {};
    // Where an absolute path leads now, whether it exists or not: links are followed. May be empty: then
    // paths are judged by their names alone.
    std::function<std::string(const std::string& path)> real_path = {};
    // The directory of the program's own configuration, the user's. Empty if it is not known.
    std::string configuration = {};
};

}  // namespace agent_driver
