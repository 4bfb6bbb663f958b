// How the members of AgentGroup are set from texts that have passed the checks of their type, and read as
// such texts. For the table of the settings only. Pure.
#pragma once

#include "agent_driver/setting_table.hpp"
#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace agent_driver::members {

using Texts = std::vector<std::string>;

inline constexpr SettingChoice permission_choices[] = {
    {"read", "read files"},
    {"edit", "change files in the directory as well"},
    {"full", "everything, without a question"},
};

// The text has been checked to be such a number.
template<class Number>
Number number_of(const Texts& texts) {
    return base::parse_number<Number>(texts.front()).value_or(Number{});
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

inline void assign_count(AgentGroup& group, const Texts& texts) {
    group.count = number_of<std::size_t>(texts);
}

inline Texts read_count(const AgentGroup& group) {
    return unless_default(group.count, AgentGroup().count);
}

inline void assign_labels(AgentGroup& group, const Texts& texts) {
    group.labels = base::Labels::of(texts).value();
}

inline Texts read_labels(const AgentGroup& group) {
    return group.labels.texts();
}

inline void assign_permissions(AgentGroup& group, const Texts& texts) {
    auto found = std::ranges::find(permission_choices, texts.front(), &SettingChoice::name);
    group.settings.permissions = static_cast<Permissions>(found - std::begin(permission_choices));
}

inline Texts read_permissions(const AgentGroup& group) {
    if (group.settings.permissions == Settings().permissions) return {};
    return {std::string(permission_choices[static_cast<std::size_t>(group.settings.permissions)].name)};
}

inline void assign_env(AgentGroup& group, const Texts& texts) {
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

inline Texts read_env(const AgentGroup& group) {
    Texts texts;
    for (const Variable& variable : group.settings.env)
        texts.push_back(variable.name + "=" + variable.value);
    texts.insert(texts.end(), group.settings.kept_env.begin(), group.settings.kept_env.end());
    return texts;
}

inline void assign_stall(AgentGroup& group, const Texts& texts) {
    group.settings.stall = std::chrono::seconds(number_of<std::int64_t>(texts));
}

inline Texts read_stall(const AgentGroup& group) {
    return unless_default(group.settings.stall.count(), Settings().stall.count());
}

inline void assign_repairs(AgentGroup& group, const Texts& texts) {
    group.max_repairs = number_of<int>(texts);
}

inline Texts read_repairs(const AgentGroup& group) {
    return unless_default(group.max_repairs, AgentGroup().max_repairs);
}

inline void assign_prices(AgentGroup& group, const Texts& texts) {
    group.settings.prices = parse_prices(texts).value();
}

inline Texts read_prices(const AgentGroup& group) {
    return group.settings.prices ? texts_of(*group.settings.prices) : Texts{};
}

}  // namespace agent_driver::members
