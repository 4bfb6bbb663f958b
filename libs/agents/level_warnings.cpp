#include "agents/level_warnings.hpp"

#include "agents/park.hpp"
#include "base/own_environment.hpp"
#include "base/text.hpp"
#include "io/directory.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace agents {

namespace {

using agent_driver::AgentKind;
using agent_driver::Permissions;
using agent_driver::Settings;

constexpr std::size_t longest_settings = std::size_t{1} << 20;
constexpr std::string_view gemini_policies = "/etc/gemini-cli/policies";
// The tools that agents with `read` and `edit` have, for which the user's own rules count as well.
constexpr std::array<std::string_view, 6> given_tools{"Read", "Grep",  "Glob",
                                                      "Edit", "Write", "NotebookEdit"};

bool is_of_given_tool(json::View rule) {
    if (!rule.is(json::Kind::string)) return false;
    const std::string text = rule.string();
    return std::ranges::find(given_tools, text.substr(0, text.find('('))) != given_tools.end();
}

bool has_elements(json::View object, std::string_view name) {
    auto list = object.find(name);
    return list && list->is(json::Kind::array) && !list->elements().empty();
}

bool widens(json::View settings) {
    auto permissions = settings.find("permissions");
    if (!permissions || !permissions->is(json::Kind::object)) return false;
    if (has_elements(*permissions, "additionalDirectories")) return true;
    return has_elements(*permissions, "allow") &&
           std::ranges::any_of(permissions->find("allow")->elements(), is_of_given_tool);
}

std::optional<std::string> claude_warning(const Settings& settings) {
    const std::string path = account_of(settings, base::own_variable).place + "/settings.json";
    auto text = io::read_regular_file(path, longest_settings, io::TrustedOwner::not_required);
    if (!text) return std::nullopt;
    auto own = json::checked(*text);
    if (!own || !own->is(json::Kind::object) || !widens(*own)) return std::nullopt;
    return base::concat("rules in ", path,
                        " let claude read or write other files than those of the directory");
}

std::optional<std::string> gemini_warning() {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(gemini_policies, ignored))
        if (entry.path().extension() == ".toml")
            return base::concat("gemini takes its policies from ", gemini_policies,
                                " alone: they decide whether the model may search the web");
    return std::nullopt;
}

}  // namespace

std::vector<std::string> level_warnings(const Settings& settings) {
    if (!agent_driver::has_driver(settings.kind)) return {};
    const std::string kind(agent_driver::kind_name(settings.kind));
    if (settings.permissions == Permissions::full)
        return {kind +
                " may do everything without a question, with all rights of this user (permissions: full)"};
    if (settings.kind == AgentKind::acp)
        return {"the program of kind acp is bound by its permissions only as far as it asks before it acts"};
    std::optional<std::string> warning;
    if (settings.kind == AgentKind::claude) warning = claude_warning(settings);
    if (settings.kind == AgentKind::gemini) warning = gemini_warning();
    return warning ? std::vector{*warning} : std::vector<std::string>();
}

}  // namespace agents
