#include "agents/mcp_file.hpp"

#include "agents/surroundings.hpp"
#include "base/text.hpp"
#include "io/directory.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace agents {

namespace {

namespace fs = std::filesystem;
using agent_driver::McpServer;
using agent_driver::Settings;
using agent_driver::Variable;

constexpr std::size_t longest_mcp_file = std::size_t{1} << 20;

bool lies_in(const std::string& directory, const std::string& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    const fs::path root = fs::canonical(directory, error);
    if (error) return false;
    return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

// A variable of the settings wins over that of this process.
std::optional<std::string> variable(const Settings& settings, const std::vector<std::string>& withheld,
                                    const std::string& name) {
    auto set = std::ranges::find(settings.env, name, &Variable::name);
    if (set != settings.env.end()) return set->value;
    const char* own = std::getenv(name.c_str());
    if (own == nullptr || std::ranges::find(withheld, name) != withheld.end()) return std::nullopt;
    return own;
}

base::Result<void> check_commands(const std::vector<McpServer>& servers, const Settings& settings) {
    for (const McpServer& server : servers)
        if (!server.command.empty() && !find_program(server.command, settings.env))
            return base::invalid(base::concat("the server ", json::quote(server.name),
                                              ": there is no program ", server.command,
                                              server.command.starts_with('/') ? "" : " on the PATH"));
    return {};
}

base::Result<std::vector<McpServer>> servers_in(const std::string& text, const Settings& settings,
                                                const std::vector<std::string>& withheld) {
    auto servers = agent_driver::parse_mcp_servers(text);
    if (!servers) return servers;
    auto filled = agent_driver::fill_in_variables(
        *servers, [&](const std::string& name) { return variable(settings, withheld, name); });
    if (!filled) return filled.error();
    if (auto checked = check_commands(*servers, settings); !checked) return checked.error();
    return servers;
}

}  // namespace

base::Result<std::vector<McpServer>> read_mcp_file(const Settings& settings,
                                                   const std::vector<std::string>& withheld) {
    if (settings.mcp.empty()) return std::vector<McpServer>();
    auto text = io::read_regular_file(settings.mcp, longest_mcp_file, io::TrustedOwner::not_required);
    if (!text) return base::with_context("mcp", text.error());
    const std::string context = base::concat("mcp: ", settings.mcp);
    // What one task writes there would run commands in the next.
    if (!settings.project_settings && lies_in(settings.directory, settings.mcp))
        return base::with_context(
            context, base::invalid("it lies in the directory in which the agents work, which is "
                                   "not trusted: move it to another place, or set project_settings"));
    auto servers = servers_in(*text, settings, withheld);
    if (!servers) return base::with_context(context, servers.error());
    return servers;
}

}  // namespace agents
