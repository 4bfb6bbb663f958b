#include "agent_driver/setting_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace agent_driver {

namespace {

using Texts = std::vector<std::string>;
using enum SettingType;

constexpr double most_agents = 10'000;
constexpr double most_turns = 1'000'000;
constexpr double most_dollars = 1'000'000;
constexpr double most_seconds = 1'000'000'000;
constexpr double most_repairs = 100;

constexpr SettingChoice permission_choices[] = {
    {"read", "read files"},
    {"edit", "change files in the directory as well"},
    {"full", "everything, without a question"},
};

// The text has been checked to be such a number.
template<class Number>
Number number_of(const Texts& texts) {
    Number number{};
    std::from_chars(texts.front().data(), texts.front().data() + texts.front().size(), number);
    return number;
}

template<class Number>
std::string text_of(Number number) {
    std::array<char, 32> digits{};
    auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return {digits.data(), end};
}

// Nothing for the default.
template<class Value>
Texts unless_default(const Value& value, const Value& preset) {
    return value == preset ? Texts{} : Texts{text_of(value)};
}

template<auto Member>
void assign_text(AgentGroup& group, const Texts& texts) {
    group.settings.*Member = texts.front();
}

template<auto Member>
Texts read_text(const AgentGroup& group) {
    const std::string& text = group.settings.*Member;
    return text.empty() ? Texts{} : Texts{text};
}

template<auto Member>
void assign_texts(AgentGroup& group, const Texts& texts) {
    group.settings.*Member = texts;
}

template<auto Member>
Texts read_texts(const AgentGroup& group) {
    return group.settings.*Member;
}

template<class Number, auto Member>
void assign_optional(AgentGroup& group, const Texts& texts) {
    group.settings.*Member = number_of<Number>(texts);
}

template<auto Member>
Texts read_optional(const AgentGroup& group) {
    const auto& number = group.settings.*Member;
    return number ? Texts{text_of(*number)} : Texts{};
}

template<auto Member>
void assign_truth(AgentGroup& group, const Texts& texts) {
    group.settings.*Member = texts.front() == "true";
}

template<auto Member>
Texts read_truth(const AgentGroup& group) {
    bool value = group.settings.*Member;
    return value == Settings().*Member ? Texts{} : Texts{value ? "true" : "false"};
}

void assign_count(AgentGroup& group, const Texts& texts) {
    group.count = number_of<std::size_t>(texts);
}

Texts read_count(const AgentGroup& group) {
    return unless_default(group.count, AgentGroup().count);
}

void assign_labels(AgentGroup& group, const Texts& texts) {
    group.labels = base::Labels::of(texts).value();
}

Texts read_labels(const AgentGroup& group) {
    return group.labels.texts();
}

void assign_permissions(AgentGroup& group, const Texts& texts) {
    auto found = std::ranges::find(permission_choices, texts.front(), &SettingChoice::name);
    group.settings.permissions = static_cast<Permissions>(found - std::begin(permission_choices));
}

Texts read_permissions(const AgentGroup& group) {
    if (group.settings.permissions == Settings().permissions) return {};
    return {std::string(permission_choices[static_cast<std::size_t>(group.settings.permissions)].name)};
}

void assign_env(AgentGroup& group, const Texts& texts) {
    group.settings.env.clear();
    group.settings.kept_env.clear();
    for (const std::string& text : texts) {
        std::size_t sign = text.find('=');
        if (sign == std::string::npos)
            group.settings.kept_env.push_back(text);
        else
            group.settings.env.push_back({text.substr(0, sign), text.substr(sign + 1)});
    }
}

Texts read_env(const AgentGroup& group) {
    Texts texts;
    for (const Variable& variable : group.settings.env)
        texts.push_back(variable.name + "=" + variable.value);
    texts.insert(texts.end(), group.settings.kept_env.begin(), group.settings.kept_env.end());
    return texts;
}

void assign_stall(AgentGroup& group, const Texts& texts) {
    group.settings.stall = std::chrono::seconds(number_of<std::int64_t>(texts));
}

Texts read_stall(const AgentGroup& group) {
    return unless_default(group.settings.stall.count(), Settings().stall.count());
}

void assign_repairs(AgentGroup& group, const Texts& texts) {
    group.max_repairs = number_of<int>(texts);
}

Texts read_repairs(const AgentGroup& group) {
    return unless_default(group.max_repairs, AgentGroup().max_repairs);
}

void assign_prices(AgentGroup& group, const Texts& texts) {
    group.settings.prices = parse_prices(texts).value();
}

Texts read_prices(const AgentGroup& group) {
    return group.settings.prices ? texts_of(*group.settings.prices) : Texts{};
}

constexpr Setting table[] = {
    {"count",
     whole_number,
     "How many such agents there are; 1 if absent.",
     {.least = 1, .most = most_agents},
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
     {.least = 0, .most = most_dollars, .more_than_least = true},
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
     {.least = 1, .most = most_seconds},
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
