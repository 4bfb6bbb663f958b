#include "agents/task_prompt.hpp"

#include "json/json.hpp"

#include <optional>

namespace agents {

namespace {

using json::Kind;
using json::View;

constexpr std::string_view images_name = "images";
constexpr std::string_view no_instructions = "Do the task that the value describes.";

std::optional<View> member(View content, std::string_view name, Kind kind) {
    auto found = content.is(Kind::object) ? content.find(name) : std::nullopt;
    return found && found->is(kind) ? found : std::nullopt;
}

bool is_task(View content) {
    return member(content, "task", Kind::object) && member(content, "instructions", Kind::string);
}

// Whether the task's value is all that the content tells besides the instructions. `barnum run` writes such
// content. Previous attempts are in the instructions as well.
bool is_plain(View content, View task) {
    for (const json::Member& member : content.members())
        if (!member.key.is_string("task") && !member.key.is_string("instructions") &&
            !member.key.is_string("timeout_seconds") && !member.key.is_string("previous_attempts") &&
            !member.key.is_string(images_name))
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
    auto instructions = member(view, "instructions", Kind::string);
    if (!instructions) return prompt;
    prompt.common = instructions->string();
    auto task = member(view, "task", Kind::object);
    if (!task || !is_plain(view, *task)) return prompt;
    if (auto value = task->find("value")) prompt.value = std::string(value->text());
    return prompt;
}

base::Result<std::vector<std::string>> image_paths(std::string_view content) {
    std::vector<std::string> paths;
    View view = View::of(content);
    if (!is_task(view)) return paths;
    auto images = view.find(images_name);
    if (!images) return paths;
    base::Error wrong = base::invalid("\"images\" of the task must be an array of strings");
    if (!images->is(Kind::array)) return wrong;
    for (View path : images->elements()) {
        if (!path.is(Kind::string)) return wrong;
        paths.push_back(path.string());
    }
    return paths;
}

std::string task_kind(std::string_view content) {
    auto task = View::of(content).find("task");
    auto kind = task ? task->find("kind") : std::nullopt;
    return kind && kind->is(Kind::string) ? kind->string() : "task";
}

}  // namespace agents
