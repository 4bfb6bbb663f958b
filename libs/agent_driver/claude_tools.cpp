#include "agent_driver/claude_tools.hpp"

#include "base/text.hpp"

#include <array>
#include <string_view>

namespace agent_driver {

namespace {

// The program's tools that read the directory, plan, and start agents of the same permissions.
constexpr std::string_view reading_tools = "Read,Grep,Glob,Agent,TaskCreate,TaskGet,TaskList,TaskUpdate";
constexpr std::string_view editing_tools = ",Edit,Write,NotebookEdit";

// The program and the clouds where it finds its models need these secrets themselves.
constexpr std::array<std::string_view, 5> claude_own_variables{"ANTHROPIC_", "CLAUDE_", "AWS_", "GOOGLE_",
                                                               "AZURE_"};

// "Bash(make *)" -> "Bash"; tools of servers are none of the program's own.
std::string own_tool(std::string_view allowed) {
    return allowed.starts_with("mcp__") ? "" : std::string(allowed.substr(0, allowed.find('(')));
}

// A rule about all that is below an absolute path.
std::string below(std::string_view tool, std::string_view path) {
    std::string rule = base::concat(tool, "(/");
    for (char c : path) {
        if (std::string_view("*?[\\").find(c) != std::string_view::npos) rule += '\\';
        rule += c;
    }
    return rule + "/**)";
}

// The model may read in the user's configuration what was said in the directory before, and write there what
// the next sessions are told.
std::vector<std::string> denied_tools(const Surroundings& surroundings) {
    std::vector<std::string> out{"--disallowedTools", "Edit(.claude/**)"};
    if (surroundings.configuration.starts_with('/'))
        for (std::string_view tool : {"Edit", "Read"})
            out.push_back(below(tool, surroundings.configuration));
    return out;
}

}  // namespace

// Each of these options takes all words up to the next option. The model is given only tools that the
// permissions need, whatever the user's own settings allow in addition: no shell, and none that runs git,
// since the directory's repository could run commands then.
std::vector<std::string> claude_tools(const Settings& settings, const Surroundings& surroundings) {
    std::vector<std::string> out;
    if (settings.permissions != Permissions::full) out = denied_tools(surroundings);
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

// Otherwise "@path" in a prompt makes the program read that file, wherever it is. What ends in the background
// later makes the program begin a turn, whose end would be taken for that of the task's. So does a prompt
// that is due by a file in the directory, .claude/scheduled_tasks.json.
std::vector<Variable> claude_environment(const Settings& settings) {
    std::vector<Variable> out{{"CLAUDE_CODE_DISABLE_ATTACHMENTS", "1"},
                              {"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1"},
                              {"CLAUDE_CODE_DISABLE_CRON", "1"},
                              {"CLAUDE_CODE_MAX_RETRIES", "7"}};
    if (settings.permissions != Permissions::full) out.push_back({"CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"});
    return out;
}

std::span<const std::string_view> claude_variables() {
    return claude_own_variables;
}

}  // namespace agent_driver
