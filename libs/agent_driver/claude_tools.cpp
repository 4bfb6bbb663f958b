#include "agent_driver/claude_tools.hpp"

#include "base/text.hpp"

#include <array>
#include <string_view>

namespace agent_driver {

namespace {

// The program's tools that read the directory, plan, and start agents of the same permissions.
constexpr std::string_view reading_tools = "Read,Grep,Glob,Agent,TaskCreate,TaskGet,TaskList,TaskUpdate";
constexpr std::string_view editing_tools = ",Edit,Write,NotebookEdit";

// Of the program and of the clouds where it finds its models: it needs their secrets itself.
constexpr std::array<std::string_view, 5> claude_own_variables{"ANTHROPIC_", "CLAUDE_", "AWS_", "GOOGLE_",
                                                               "AZURE_"};

// "Bash(make *)" -> "Bash"; tools of servers are none of the program's own.
std::string own_tool(std::string_view allowed) {
    return allowed.starts_with("mcp__") ? "" : std::string(allowed.substr(0, allowed.find('(')));
}

}  // namespace

// Each of these options takes all words up to the next option. The model is given only tools that the
// permissions need, whatever the user's own settings allow in addition: no shell, and none that runs git,
// since the directory's repository could run commands then.
std::vector<std::string> claude_tools(const Settings& settings, const Surroundings& surroundings) {
    std::vector<std::string> out;
    if (!settings.mcp.empty()) out.insert(out.end(), {"--mcp-config", settings.mcp});
    std::vector<std::string> allowed = settings.allow_tools;
    for (const McpServer& server : surroundings.mcp_servers)
        allowed.push_back("mcp__" + server.name);
    if (!allowed.empty()) out.emplace_back("--allowedTools");
    out.insert(out.end(), allowed.begin(), allowed.end());
    if (settings.permissions == Permissions::full) return out;
    std::string given(reading_tools);
    if (settings.permissions == Permissions::edit) given += editing_tools;
    for (const std::string& tool : allowed)
        if (std::string name = own_tool(tool); !name.empty()) given += base::concat(",", name);
    out.insert(out.end(), {"--tools", given});
    return out;
}

std::span<const std::string_view> claude_variables() {
    return claude_own_variables;
}

}  // namespace agent_driver
