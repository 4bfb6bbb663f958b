#include "reuse/step_parts.hpp"

#include "base/text.hpp"
#include "json/canonical.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <algorithm>
#include <utility>

namespace reuse {

namespace {

std::string script_of(const std::optional<config::Command>& command) {
    return command ? command->script : "";
}

// A Command on the pool has at least one, any other none.
std::string labels_text(const config::Step& step) {
    const base::Labels* labels = config::labels_of(step);
    return labels == nullptr ? "" : labels->joined("\n");
}

std::string images_text(const config::Step& step) {
    std::string text;
    for (const config::ValuePlace& place : std::get<config::PoolAction>(step.action).images)
        text += base::concat(text.empty() ? "" : "\n", place.pointer);
    return text;
}

void add_action(std::vector<StepPart>& parts, const config::Step& step) {
    if (const config::Command* command = config::command_of(step)) {
        parts.push_back({"kind of action", "Command"});
        parts.push_back({"script", command->script});
        parts.push_back({"labels", labels_text(step)});
        return;
    }
    if (step.is_human()) {
        parts.push_back({"kind of action", "Human"});
        parts.push_back({"instructions", config::instructions_of(step)});
        return;
    }
    parts.push_back({"kind of action", "Pool"});
    parts.push_back({"instructions", config::instructions_of(step)});
    parts.push_back({"labels", labels_text(step)});
    parts.push_back({"images", images_text(step)});
}

void add_gather(std::vector<StepPart>& parts, const config::WorkflowConfig& config,
                const config::Step& step) {
    std::string text;
    if (step.gather) {
        text = config.step(step.gather->into).name;
        for (config::StepId of : step.gather->of)
            base::append_piece(text, base::concat("\n", config.step(of).name));
    }
    parts.push_back({"gather", std::move(text)});
}

// The variables of a step that runs scripts; tasks of other steps don't see them.
std::string env_text(const config::Step& step) {
    bool runs_script = config::command_of(step) != nullptr;
    if (!runs_script && !step.pre && !step.post && !step.finally) return "";
    std::string text;
    for (const auto& [name, value] : step.env)
        text += base::concat(text.empty() ? "" : "\n", name, "=", value);
    return text;
}

void add_next(std::vector<StepPart>& parts, const config::WorkflowConfig& config, const config::Step& step) {
    std::string names;
    for (config::StepId next : step.next)
        base::append_piece(names, base::concat(names.empty() ? "" : "\n", config.step(next).name));
    parts.push_back({"next", std::move(names)});
    for (config::StepId next : step.next)
        if (config.step(next).name != step.name)
            parts.push_back(
                {"value_schema of step " + config.step(next).name, schema_text(config.step(next))});
}

const std::string* text_in(const std::vector<StepPart>& parts, const std::string& name) {
    auto found = std::ranges::find(parts, name, &StepPart::name);
    return found == parts.end() ? nullptr : &found->text;
}

}  // namespace

std::string schema_text(const config::Step& step) {
    if (!step.value_schema) return "";
    std::string text = json::canonical(json::View::of(step.value_schema->text()));
    return json::pretty(json::View::of(text));
}

std::vector<StepPart> parts_of(const config::WorkflowConfig& config, const config::Step& step) {
    std::vector<StepPart> parts;
    add_action(parts, step);
    parts.push_back({"pre", script_of(step.pre)});
    parts.push_back({"post", script_of(step.post)});
    parts.push_back({"finally", script_of(step.finally)});
    parts.push_back({"env", env_text(step)});
    add_gather(parts, config, step);
    parts.push_back({"value_schema", schema_text(step)});
    add_next(parts, config, step);
    return parts;
}

// The schemas of steps that are in only one of the two lists of `next` are no changes of their own.
std::vector<ChangedPart> changed_parts(const std::vector<StepPart>& before,
                                       const std::vector<StepPart>& after) {
    std::vector<ChangedPart> changed;
    for (const StepPart& part : after) {
        const std::string* was = text_in(before, part.name);
        if (was && *was != part.text) changed.push_back({part.name, *was, part.text});
    }
    return changed;
}

}  // namespace reuse
