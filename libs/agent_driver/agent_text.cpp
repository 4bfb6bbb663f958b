#include "agent_driver/agent_text.hpp"

#include "agent_driver/setting_table.hpp"
#include "base/text.hpp"
#include "json/json.hpp"
#include "json/suggest.hpp"

#include <map>
#include <vector>

namespace agent_driver {

namespace {

// The texts of the settings, by their names.
using SettingTexts = std::map<std::string_view, std::vector<std::string>>;

// Splits at the commas that are not escaped, and removes the escapes.
std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> parts(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool is_escape =
            text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
        if (is_escape)
            parts.back() += text[++i];
        else if (text[i] == ',')
            parts.emplace_back();
        else
            parts.back() += text[i];
    }
    return parts;
}

std::string escaped(std::string_view value) {
    std::string out;
    for (char c : value) {
        if (c == ',' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

base::Error unknown_kind(std::string_view name) {
    auto kinds = kind_names();
    std::string hint = json::did_you_mean(name, kinds);
    if (hint.empty()) hint = base::concat("; it is ", json::alternatives(kinds));
    return base::invalid(base::concat("unknown kind of agent ", json::quote(name), hint));
}

base::Error unknown_setting(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Setting& setting : setting_table())
        names.push_back(setting.name);
    std::string hint = json::did_you_mean(name, names);
    if (hint.empty()) {
        hint = "; an agent has:";
        for (std::string_view each : names)
            hint += base::concat(each == names.front() ? " " : ", ", each);
    }
    return base::invalid(base::concat("unknown setting ", json::quote(name), " of an agent", hint));
}

base::Result<void> collect(const std::string& part, SettingTexts& texts) {
    std::size_t sign = part.find('=');
    if (sign == std::string::npos)
        return base::invalid(base::concat(
            json::quote(part),
            " has no value: settings are KEY=VALUE, separated by commas; the key of a list is repeated "
            "(labels=a,labels=b), and a comma in a value is written \\,"));
    std::string name = part.substr(0, sign);
    const Setting* setting = find_setting(name);
    if (setting == nullptr) return unknown_setting(name);
    auto& values = texts[setting->name];
    if (!values.empty() && !setting->is_list()) return base::invalid(name + " is given twice");
    values.push_back(part.substr(sign + 1));
    return {};
}

}  // namespace

base::Result<AgentGroup> parse_agent_text(std::string_view text) {
    std::vector<std::string> parts = split(text);
    std::size_t sign = parts.front().find('=');
    std::string name = parts.front().substr(0, sign);
    auto kind = parse_kind(name);
    if (!kind) return unknown_kind(name);
    SettingTexts texts;
    if (sign != std::string::npos) texts["count"] = {parts.front().substr(sign + 1)};
    for (std::size_t i = 1; i < parts.size(); ++i)
        if (auto collected = collect(parts[i], texts); !collected) return collected.error();
    AgentGroup group;
    group.settings.kind = *kind;
    for (const auto& [setting, values] : texts)
        if (auto done = set(group, *find_setting(setting), values); !done) return done.error();
    return group;
}

std::string agent_text(const AgentGroup& group) {
    std::string text(kind_name(group.settings.kind));
    for (const Setting& setting : setting_table())
        for (const std::string& value : setting.read(group))
            text += setting.name == "count" ? base::concat("=", value)
                                            : base::concat(",", setting.name, "=", escaped(value));
    return text;
}

}  // namespace agent_driver
