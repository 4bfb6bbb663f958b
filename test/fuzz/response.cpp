// What agents, hooks and --initial-state hand in: tasks that the config allows, each value as its schema
// wants it and otherwise untouched, or an error that says which element is wrong.
#include "config/response.hpp"

#include "base/text.hpp"
#include "config/load.hpp"
#include "fuzz.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <algorithm>

namespace {

using config::NewTask;
using config::WorkflowConfig;
using fuzz::must;
using json::View;
using Tasks = base::Result<std::vector<NewTask>>;

constexpr std::string_view config_text = R"({"steps": [
    {"name": "Split", "action": {"kind": "Pool", "instructions": "x"}, "next": ["Count", "Say", "Split"]},
    {"name": "Count", "action": {"kind": "Command", "script": "x"}, "next": ["Say"],
     "value_schema": {"type": "object", "required": ["n"], "additionalProperties": false,
                      "properties": {"n": {"type": "integer", "minimum": 0}, "of": {"$ref": "#"}}}},
    {"name": "Say", "action": {"kind": "Command", "script": "x"},
     "value_schema": {"type": ["string", "null"], "maxLength": 5}}
]})";

const WorkflowConfig& workflow() {
    static const WorkflowConfig loaded = config::load_text(config_text, "w", "/nowhere").config.value();
    return loaded;
}

std::string written(const std::vector<NewTask>& tasks) {
    std::string text;
    for (const NewTask& task : tasks) {
        std::string kind = json::quote(workflow().step(task.step).name);
        text += base::concat(text.empty() ? "" : ",", "{\"kind\":", kind, ",\"value\":", task.value, "}");
    }
    return base::concat("[", text, "]");
}

void check_task(const NewTask& task) {
    must(!json::check(task.value), "a value is JSON");
    View value = View::of(task.value);
    must(json::compact(value) == task.value, "a value is compact");
    const auto& schema = workflow().step(task.step).value_schema;
    must(!schema || !schema->violation(value), "a value is as its schema wants it");
}

bool same(const NewTask& a, const NewTask& b) {
    return a.step == b.step && a.value == b.value;
}

void check_tasks(std::string_view input) {
    Tasks tasks = config::parse_tasks(workflow(), workflow().steps[0], input, "tasks");
    if (!tasks) return must(tasks.error().message.starts_with("tasks: "), "an error names the input");
    std::ranges::for_each(*tasks, check_task);
    Tasks again = config::parse_tasks(workflow(), workflow().steps[0], written(*tasks), "tasks");
    must(again.has_value() && std::ranges::equal(*tasks, *again, same), "tasks are read as they are written");
}

void check_response(const config::Step& step, std::string_view input) {
    Tasks tasks = config::parse_response(workflow(), step, input);
    if (!tasks) {
        const std::string& message = tasks.error().message;
        must(message.starts_with("invalid response: "), "an error says what it is about");
        return must(!json::invalid_utf8(message), "an error can be read");
    }
    for (const NewTask& task : *tasks)
        must(std::ranges::find(step.next, task.step) != step.next.end(), "a task is of a next step");
    Tasks any = config::parse_tasks(workflow(), workflow().steps[0], input, "tasks");
    must(any.has_value() && std::ranges::equal(*tasks, *any, same), "what a step may say, anybody may");
}

}  // namespace

void fuzz::target(std::string_view input) {
    check_tasks(input);
    for (const config::Step& step : workflow().steps)
        check_response(step, input);
}
