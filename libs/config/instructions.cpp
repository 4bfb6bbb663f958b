#include "config/instructions.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <utility>

namespace config {

namespace {

constexpr std::string_view preamble =
    "**IMPORTANT: This task is completely isolated. You have no memory of previous tasks. Even if this "
    "task seems related to prior work, you must complete it from scratch using only the information "
    "provided here.**";

constexpr std::string_view valid_responses =
    "## Valid Responses\n\n"
    "You must return a JSON array of tasks. Each task has `kind` and\n`value` fields.\n\n"
    "Valid next steps:";

constexpr std::string_view terminal_step =
    "## Terminal Step\n\nThis is a terminal step. Return an empty array: `[]`";

std::string describe_value(const Step& step) {
    if (!step.value_schema) return "Accepts any JSON value.";
    std::string schema = json::pretty(json::View::of(step.value_schema->text()));
    return base::concat("Value must match schema:\n```json\n", schema, "\n```");
}

std::string describe_next(const Step& step) {
    return base::concat("\n\n### ", step.name, "\n\n", describe_value(step),
                        "\n\nExample:\n{\"kind\": ", json::quote(step.name), ", \"value\": {...}}");
}

std::string without_outer_newlines(std::string_view text) {
    std::size_t first = text.find_first_not_of("\r\n");
    if (first == std::string_view::npos) return "";
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first));
}

}  // namespace

std::string generate_instructions(const WorkflowConfig& config, const Step& step) {
    std::string out = base::concat(preamble, "\n\n# Current Step: ", step.name);
    const auto* pool = std::get_if<PoolAction>(&step.action);
    std::string authors = without_outer_newlines(pool ? pool->instructions : "");
    if (!authors.empty()) out += "\n\n" + authors;
    out += "\n\n";
    if (step.next.empty()) return out.append(terminal_step);
    out += valid_responses;
    for (StepId next : step.next)
        out += describe_next(config.step(next));
    return out;
}

void set_instructions(WorkflowConfig& config, StepId step, std::string text) {
    Step& changed = config.steps[step.value];
    std::get<PoolAction>(changed.action).instructions = std::move(text);
    changed.pool_instructions = generate_instructions(config, changed);
}

}  // namespace config
