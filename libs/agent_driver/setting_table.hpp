// The table of the settings of agents: names, types and descriptions. The fields of the config's agents, the
// keys of `barnum run --agent` and the options of `troupe agent` are made from it. Pure.
#pragma once

#include "agent_driver/settings.hpp"
#include "base/error.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

enum class SettingType {
    text,          // not empty
    whole_number,  // within the range
    number,        // within the range, may have a fraction
    choice,        // one of the choices
    truth,         // true or false
    texts,         // any number of texts
    labels,        // any number of labels (base/labels.hpp)
    variables,     // any number of NAME=VALUE, or NAME
    prices,        // KIND=PRICE for several kinds of tokens (agent_driver/prices.hpp)
};

// The allowed range of a number, including both limits.
struct SettingRange {
    double least = 0;
    double most = 0;
};

struct SettingChoice {
    std::string_view name;
    std::string_view description;  // empty, for all choices of a setting, if the names say enough
};

struct Setting {
    std::string_view name;  // as in the config: "max_turns"
    SettingType type;
    std::string_view description;  // whole sentences
    SettingRange range = {};       // for numbers
    std::span<const SettingChoice> choices = {};
    // Converts a text that has passed the checks of the type.
    void (*assign)(AgentGroup& group, const std::vector<std::string>& texts);
    // The reverse: no text if the group has the default.
    std::vector<std::string> (*read)(const AgentGroup& group);

    // Whether the setting takes any number of texts.
    bool is_list() const { return type >= SettingType::texts; }
};

// All settings but the kind.
std::span<const Setting> setting_table();

// Null if there is none of that name.
const Setting* find_setting(std::string_view name);

// Sets the group's setting, a list as a whole. `texts` is one text unless the setting is a list. The error
// begins with the setting's name and says what is allowed.
base::Result<void> set(AgentGroup& group, const Setting& setting, const std::vector<std::string>& texts);

}  // namespace agent_driver
