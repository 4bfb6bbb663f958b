#include "agent_driver/project.hpp"

#include <array>
#include <utility>

namespace agent_driver {

namespace {

// Relative to a directory. The first program reads several.
constexpr std::array<std::string_view, 3> claude_files{"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"};
constexpr std::array<std::string_view, 1> codex_files{"AGENTS.md"};
constexpr std::array<std::string_view, 1> gemini_files{"GEMINI.md"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> git_settings{
    {{"core.fsmonitor", "false"}, {"log.showSignature", "false"}}};

}  // namespace

std::vector<Variable> git_variables() {
    std::vector<Variable> out{{"GIT_CONFIG_COUNT", std::to_string(git_settings.size())}};
    for (std::size_t i = 0; i < git_settings.size(); ++i) {
        const auto& [key, value] = git_settings.at(i);
        out.push_back({"GIT_CONFIG_KEY_" + std::to_string(i), std::string(key)});
        out.push_back({"GIT_CONFIG_VALUE_" + std::to_string(i), std::string(value)});
    }
    return out;
}

std::vector<std::string> with_parents(std::string_view directory) {
    std::vector<std::string> out{std::string(directory)};
    while (directory.size() > 1) {
        directory = directory.substr(0, directory.rfind('/'));
        if (directory.empty()) directory = "/";
        out.emplace_back(directory);
    }
    return out;
}

std::span<const std::string_view> instruction_files(const Settings& settings) {
    if (settings.project_settings || !settings.project_instructions) return {};
    if (settings.kind == AgentKind::claude) return claude_files;
    if (settings.kind == AgentKind::codex) return codex_files;
    if (settings.kind == AgentKind::gemini) return gemini_files;
    return {};
}

}  // namespace agent_driver
