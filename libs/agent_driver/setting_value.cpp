// The checks of the settings' values.
#include "agent_driver/setting_table.hpp"
#include "base/number.hpp"
#include "base/plain_number.hpp"
#include "base/text.hpp"
#include "json/json.hpp"
#include "json/suggest.hpp"

#include <algorithm>
#include <optional>

namespace agent_driver {

namespace {

std::optional<double> parsed_number(const Setting& setting, std::string_view text) {
    if (setting.type == SettingType::number) return base::parse_number<double>(text);
    auto whole = base::parse_number<std::int64_t>(text);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

std::string range_text(const Setting& setting) {
    std::string_view what = setting.type == SettingType::number ? "a number" : "a whole number";
    return base::concat(what, " from ", base::plain_number(setting.range.least), " to ",
                        base::plain_number(setting.range.most));
}

base::Result<void> check_number(const Setting& setting, const std::string& text) {
    auto number = parsed_number(setting, text);
    const SettingRange& range = setting.range;
    // Written so that NaN is refused.
    bool fits = number && *number >= range.least && *number <= range.most;
    if (fits) return {};
    return base::invalid(
        base::concat(setting.name, " must be ", range_text(setting), ", not ", json::quote(text)));
}

base::Result<void> check_choice(const Setting& setting, const std::string& text) {
    std::vector<std::string_view> names;
    for (const SettingChoice& choice : setting.choices)
        names.push_back(choice.name);
    if (std::ranges::find(names, text) != names.end()) return {};
    return base::invalid(base::concat(setting.name, " must be ", json::alternatives(names), ", not ",
                                      json::quote(text), json::did_you_mean(text, names)));
}

base::Result<void> check_truth(const Setting& setting, const std::string& text) {
    if (text == "true" || text == "false") return {};
    return base::invalid(base::concat(setting.name, " must be true or false, not ", json::quote(text)));
}

base::Result<void> check_variable(const Setting& setting, const std::string& text) {
    if (!text.empty() && !text.starts_with('=')) return {};
    return base::invalid(base::concat(setting.name, " must be NAME=VALUE or NAME, not ", json::quote(text)));
}

base::Result<void> check_text(const Setting& setting, const std::string& text) {
    if (!text.empty()) return {};
    return base::invalid(base::concat(setting.name, " must not be empty"));
}

base::Result<void> check_one(const Setting& setting, const std::string& text) {
    // It would end the argument or variable that the text becomes.
    if (text.find('\0') != std::string::npos)
        return base::invalid(base::concat(setting.name, " must not have a NUL character"));
    switch (setting.type) {
        case SettingType::text:
            return check_text(setting, text);
        case SettingType::whole_number:
        case SettingType::number:
            return check_number(setting, text);
        case SettingType::choice:
            return check_choice(setting, text);
        case SettingType::truth:
            return check_truth(setting, text);
        case SettingType::variables:
            return check_variable(setting, text);
        case SettingType::texts:
        case SettingType::labels:
        case SettingType::prices:
            break;
    }
    return {};
}

// The reserved label comes with the kind, and counts towards the largest number of labels.
base::Result<void> check_labels(const AgentGroup& group, const Setting& setting,
                                const std::vector<std::string>& texts) {
    if (std::ranges::find(texts, base::shell_label) != texts.end())
        return base::invalid(base::concat(setting.name, " must not have ", base::shell_label,
                                          ": only agents of the kind shell have it, and always do"));
    auto labels = base::Labels::of(texts);
    if (labels && group.settings.kind == AgentKind::shell) labels = labels->with_shell_label();
    if (!labels) return base::with_context(setting.name, labels.error());
    return {};
}

}  // namespace

base::Result<void> set(AgentGroup& group, const Setting& setting, const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
        if (auto checked = check_one(setting, text); !checked) return checked;
    if (setting.type == SettingType::labels)
        if (auto checked = check_labels(group, setting, texts); !checked) return checked;
    if (setting.type == SettingType::prices)
        if (auto prices = parse_prices(texts); !prices) return prices.error();
    setting.assign(group, texts);
    return {};
}

}  // namespace agent_driver
