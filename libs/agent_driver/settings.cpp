#include "agent_driver/settings.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace agent_driver {

namespace {

constexpr std::array<std::string_view, 4> kind_names{"claude", "codex", "gemini", "acp"};

base::Error refused(std::string_view option, AgentKind kind, std::string_view reason) {
    return base::invalid(base::concat(option, " is not available for ", kind_name(kind), ": ", reason));
}

// The limits that only Claude Code enforces.
base::Result<void> check_limits(const Settings& settings) {
    if (settings.max_usd)
        return refused("max_usd", settings.kind, "the program does not tell what a task costs");
    if (settings.max_turns) return refused("max_turns", settings.kind, "the program has no option for it");
    if (!settings.allow_tools.empty())
        return refused("allow_tools", settings.kind,
                       "the program cannot be given single tools; set permissions instead");
    return {};
}

base::Result<void> check_numbers(const Settings& settings) {
    if (settings.max_turns && *settings.max_turns < 1) return base::invalid("max_turns must be at least 1");
    if (settings.max_usd && !(*settings.max_usd > 0)) return base::invalid("max_usd must be more than 0");
    if (settings.stall.count() < 1) return base::invalid("stall_secs must be at least 1");
    return {};
}

// Such a name would be read as an option.
bool is_option(const std::string& tool) {
    return tool.empty() || tool.starts_with('-');
}

}  // namespace

std::string_view kind_name(AgentKind kind) {
    return kind_names.at(static_cast<std::size_t>(kind));
}

base::Result<void> check(const Settings& settings) {
    if (!settings.directory.starts_with('/')) return base::invalid("directory must be an absolute path");
    if (auto numbers = check_numbers(settings); !numbers) return numbers;
    if (settings.kind != AgentKind::claude)
        if (auto limits = check_limits(settings); !limits) return limits;
    if (std::ranges::any_of(settings.allow_tools, is_option))
        return base::invalid("a name in allow_tools must not be empty or begin with '-'");
    if (settings.kind != AgentKind::acp) return {};
    if (settings.program.empty())
        return base::invalid(
            "an agent of the kind acp needs a program, such as \"opencode\" with the argument \"acp\"");
    if (!settings.model.empty())
        return refused("model", settings.kind, "pass it in the way of the program, with arguments or env");
    return {};
}

}  // namespace agent_driver
