// The fields of the config's agents, made from the table of settings.
#include "agent_driver/setting_table.hpp"
#include "base/text.hpp"
#include "config/fields.hpp"
#include "json/json.hpp"

#include <list>
#include <vector>

namespace config {

namespace {

using agent_driver::Setting;
using agent_driver::SettingType;

constexpr const ObjectType* prices_objects[] = {&prices_type};
constexpr std::string_view text_pattern = "^[^\\x00]+$";

FieldType field_type(SettingType type) {
    switch (type) {
        case SettingType::whole_number:
        case SettingType::number:
            return FieldType::number;
        case SettingType::truth:
            return FieldType::boolean;
        case SettingType::texts:
            return FieldType::texts;
        case SettingType::labels:
            return FieldType::labels;
        case SettingType::variables:
            return FieldType::variables_and_names;
        case SettingType::prices:
            return FieldType::object;
        case SettingType::text:
        case SettingType::choice:
            break;
    }
    return FieldType::text;
}

std::optional<Range> field_range(const Setting& setting) {
    bool whole = setting.type == SettingType::whole_number;
    if (!whole && setting.type != SettingType::number) return std::nullopt;
    return Range{whole ? "a whole number" : "a number", setting.range.least, setting.range.most, whole};
}

std::string_view field_pattern(const Setting& setting) {
    if (setting.type == SettingType::labels) return label_pattern;
    return setting.type == SettingType::text ? text_pattern : "";
}

// Owns what the fields refer to.
class AgentFields {
  public:
    AgentFields() {
        fields_.push_back({"kind",
                           FieldType::text,
                           true,
                           "The agents' program: \"claude\" (Claude Code), \"codex\" (Codex CLI), \"gemini\" "
                           "(Gemini CLI), \"acp\" (a program that speaks the Agent Client Protocol), "
                           "\"exec\" (a shell command for each task) or \"shell\" (runs the Commands of "
                           "steps that have \"on\": \"pool\").",
                           {.choices = agent_driver::kind_names()}});
        for (const Setting& setting : agent_driver::setting_table())
            fields_.push_back(field(setting));
    }

    const std::vector<Field>& all() const { return fields_; }

  private:
    Field field(const Setting& setting) {
        Constraints constraints;
        constraints.range = field_range(setting);
        constraints.pattern = field_pattern(setting);
        constraints.choices = choices(setting);
        if (setting.type == SettingType::prices) constraints.objects = prices_objects;
        return {setting.name, field_type(setting.type), false, description(setting), constraints};
    }

    std::span<const std::string_view> choices(const Setting& setting) {
        auto& names = choices_.emplace_back();
        for (const auto& choice : setting.choices)
            names.push_back(choice.name);
        return names;
    }

    std::string_view description(const Setting& setting) {
        if (setting.choices.empty() || setting.choices.front().description.empty())
            return setting.description;
        std::string& text = descriptions_.emplace_back(setting.description);
        for (const auto& choice : setting.choices)
            text += base::concat(&choice == &setting.choices.front() ? " " : ", ", json::quote(choice.name),
                                 ": ", choice.description);
        return text += ".";
    }

    std::vector<Field> fields_;
    std::list<std::vector<std::string_view>> choices_;
    std::list<std::string> descriptions_;
};

const AgentFields agent_fields;

}  // namespace

const ObjectType agent_type = {"agent", "an agent", "has",
                               "Agents of one kind with the same settings, which do the tasks of Pool steps.",
                               agent_fields.all()};

}  // namespace config
