#include "agent_driver/setting_table.hpp"

#include "agent_driver/setting_members.hpp"
#include "base/limits.hpp"

#include <algorithm>

namespace agent_driver {

namespace {

using namespace members;
using enum SettingType;

constexpr double most_turns = 1'000'000;
constexpr double most_dollars = 1'000'000;
constexpr double most_repairs = 100;

constexpr SettingChoice effort_choices[] = {{"minimal", ""}, {"low", ""},   {"medium", ""},
                                            {"high", ""},    {"xhigh", ""}, {"max", ""}};

constexpr Setting table[] = {
    {"count",
     whole_number,
     "How many such agents there are; 1 if absent.",
     {.least = 1, .most = base::most_agents},
     {},
     assign_count,
     read_count},
    {"model",
     text,
     "The model, by the name that the program knows; the program's default if absent.",
     {},
     {},
     assign_text<&Settings::model>,
     read_text<&Settings::model>},
    {"fallback_model",
     text,
     "The model that takes over while the other one is overloaded or cannot be used; several with commas "
     "between them. Only for \"claude\".",
     {},
     {},
     assign_text<&Settings::fallback_model>,
     read_text<&Settings::fallback_model>},
    {"effort",
     choice,
     "How much the model thinks; the program's default if absent. Only for \"claude\" and \"codex\".",
     {},
     effort_choices,
     assign_text<&Settings::effort>,
     read_text<&Settings::effort>},
    {"labels",
     labels,
     "The labels of the agents: they get only tasks of which they have all labels.",
     {},
     {},
     assign_labels,
     read_labels},
    {"permissions",
     choice,
     "What the agents may do without being asked; \"read\" if absent.",
     {},
     permission_choices,
     assign_permissions,
     read_permissions},
    {"allow_tools",
     texts,
     "Tools that the agents may use in addition, in the program's own notation, such as \"Bash(make *)\".",
     {},
     {},
     assign_texts<&Settings::allow_tools>,
     read_texts<&Settings::allow_tools>},
    {"mcp",
     text,
     "A file with servers of tools (MCP), as Claude Code reads it; the model may use all of their tools. "
     "Not for \"exec\"; for \"gemini\" only with \"project_settings\".",
     {},
     {},
     assign_text<&Settings::mcp>,
     read_text<&Settings::mcp>},
    {"project_settings",
     truth,
     "Whether what lies in the directory may configure the program: hooks, servers of tools, permissions, "
     "variables; false if absent. It then runs commands that the directory names.",
     {},
     {},
     assign_truth<&Settings::project_settings>,
     read_truth<&Settings::project_settings>},
    {"project_instructions",
     truth,
     "Whether the model is told what the directory says to models, such as its CLAUDE.md; true if absent.",
     {},
     {},
     assign_truth<&Settings::project_instructions>,
     read_truth<&Settings::project_instructions>},
    {"directory",
     text,
     "The directory in which the agents work. The default, from which a relative path starts, is that of the "
     "config, or for agents of the command line the current one.",
     {},
     {},
     assign_text<&Settings::directory>,
     read_text<&Settings::directory>},
    {"env",
     variables,
     "Environment variables that are added to those of Barnum. A name without a value, null in a config, "
     "lets "
     "the program's tools have a variable of Barnum's that holds a secret.",
     {},
     {},
     assign_env,
     read_env},
    {"max_turns",
     whole_number,
     "How many turns the model may take for a task; no limit if absent.",
     {.least = 1, .most = most_turns},
     {},
     assign_optional<int, &Settings::max_turns>,
     read_optional<&Settings::max_turns>},
    {"max_usd",
     number,
     "How much a task may cost, in US dollars; no limit if absent.",
     {.least = base::least_dollars, .most = most_dollars},
     {},
     assign_optional<double, &Settings::max_usd>,
     read_optional<&Settings::max_usd>},
    {"prices",
     prices,
     "What the model costs, in US dollars per million tokens, for a program that does not tell what a task "
     "costs.",
     {},
     {},
     assign_prices,
     read_prices},
    {"stall_secs",
     whole_number,
     "A program that prints nothing for so many seconds has failed; 600 if absent.",
     {.least = 1, .most = base::most_seconds},
     {},
     assign_stall,
     read_stall},
    {"max_repairs",
     whole_number,
     "How often the program is asked for another answer in the same conversation, if one is not valid; 2 if "
     "absent.",
     {.least = 0, .most = most_repairs},
     {},
     assign_repairs,
     read_repairs},
    {"arguments",
     texts,
     "Arguments that are added to the end of the program's command line.",
     {},
     {},
     assign_texts<&Settings::arguments>,
     read_texts<&Settings::arguments>},
    {"program",
     text,
     "The program: a path, or a name that is looked up in PATH; the kind's own program if absent.",
     {},
     {},
     assign_text<&Settings::program>,
     read_text<&Settings::program>},
    {"exec",
     text,
     "The shell command of the kinds \"exec\" and \"acp\": it does a task (task on stdin, response on "
     "stdout), or starts a program that speaks the Agent Client Protocol.",
     {},
     {},
     assign_text<&Settings::command>,
     read_text<&Settings::command>},
};

}  // namespace

std::span<const Setting> setting_table() {
    return table;
}

const Setting* find_setting(std::string_view name) {
    auto found = std::ranges::find(table, name, &Setting::name);
    return found == std::end(table) ? nullptr : found;
}

}  // namespace agent_driver
