#include "config/agent_reader.hpp"

#include "agent_driver/setting_table.hpp"
#include "base/text.hpp"
#include "config/agent_paths.hpp"
#include "config/fields.hpp"
#include "config/list_reader.hpp"

#include <algorithm>

namespace config {

namespace {

using agent_driver::AgentGroup;
using agent_driver::Setting;
using agent_driver::SettingType;
using json::View;

// Empty after a problem.
std::vector<std::string> read_prices(View value, ProblemList& problems) {
    FieldValues fields = FieldValues::read(value, prices_type, problems);
    if (!fields.find("input") || !fields.find("output")) return {};
    std::vector<std::string> texts;
    for (const Field& field : prices_type.fields)
        if (auto price = fields.find(field.name))
            texts.push_back(base::concat(field.name, "=", price->text()));
    return texts;
}

std::vector<std::string> texts_of(const Setting& setting, View value, ProblemList& problems) {
    switch (setting.type) {
        case SettingType::labels:
            return read_labels(value, problems).texts();
        case SettingType::texts:
            return read_texts(value, setting.name, problems);
        case SettingType::variables:
            return read_variables(value, setting.name, problems, Nulls::are_names);
        case SettingType::prices:
            return read_prices(value, problems);
        case SettingType::whole_number:
        case SettingType::number:
        case SettingType::truth:
            return {std::string(value.text())};
        case SettingType::text:
        case SettingType::choice:
            break;
    }
    return {value.string()};
}

// `agent` is the object that `fields` were read from.
void check_kind(const AgentGroup& group, View agent, const FieldValues& fields, ProblemList& problems) {
    agent_driver::Settings settings = group.settings;
    settings.directory = "/";  // it is made absolute later
    for (auto& problem : agent_driver::problems_of(settings)) {
        auto place = fields.find(problem.setting);
        // A field that is present but unusable has been reported.
        if (place || !agent.find(problem.setting))
            problems.add(place.value_or(agent), std::move(problem.message));
    }
}

AgentGroup read_agent(View agent, ProblemList& problems) {
    AgentGroup group;
    FieldValues fields = FieldValues::read(agent, agent_type, problems);
    auto kind = fields.find("kind");
    if (kind) group.settings.kind = *agent_driver::parse_kind(kind->string());
    for (const Setting& setting : agent_driver::setting_table()) {
        auto value = fields.find(setting.name);
        if (!value) continue;
        auto texts = texts_of(setting, *value, problems);
        if (setting.type == SettingType::prices && texts.empty()) continue;
        auto done = agent_driver::set(group, setting, texts);
        if (!done) problems.add(*value, done.error().message);
    }
    if (kind) check_kind(group, agent, fields, problems);
    return group;
}

}  // namespace

std::vector<AgentGroup> read_agents(View value, const std::string& directory, ProblemList& problems) {
    std::vector<AgentGroup> groups;
    for (View agent : value.elements()) {
        groups.push_back(read_agent(agent, problems));
        resolve_paths(groups.back().settings, directory);
    }
    return groups;
}

}  // namespace config
