#include "agents/task_prompt.hpp"

#include "json/json.hpp"

namespace agents {

namespace {

using json::Kind;
using json::View;

constexpr std::string_view no_instructions = "Do the task that the value describes.";

// Whether the task's value is all that the content tells besides the instructions. `barnum run` writes such
// content. Previous attempts are in the instructions as well.
bool is_plain(View content, View task) {
    for (const json::Member& member : content.members())
        if (!member.key.is_string("task") && !member.key.is_string("instructions") &&
            !member.key.is_string("timeout_seconds") && !member.key.is_string("previous_attempts"))
            return false;
    for (const json::Member& member : task.members())
        if (!member.key.is_string("kind") && !member.key.is_string("value")) return false;
    return true;
}

}  // namespace

agent_driver::Prompt task_prompt(std::string_view content, std::string response_schema) {
    agent_driver::Prompt prompt{std::string(no_instructions), std::string(content), {}};
    if (!response_schema.empty()) prompt.response_schema = std::move(response_schema);
    View view = View::of(content);
    if (!view.is(Kind::object)) return prompt;
    auto instructions = view.find("instructions");
    if (!instructions || !instructions->is(Kind::string)) return prompt;
    prompt.common = instructions->string();
    auto task = view.find("task");
    if (!task || !task->is(Kind::object) || !is_plain(view, *task)) return prompt;
    if (auto value = task->find("value")) prompt.value = std::string(value->text());
    return prompt;
}

std::string task_kind(std::string_view content) {
    auto task = View::of(content).find("task");
    auto kind = task ? task->find("kind") : std::nullopt;
    return kind && kind->is(Kind::string) ? kind->string() : "task";
}

}  // namespace agents
