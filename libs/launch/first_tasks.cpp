#include "launch/first_tasks.hpp"

#include "base/text.hpp"
#include "config/image_paths.hpp"
#include "config/problem_list.hpp"
#include "io/log.hpp"
#include "json/in_place.hpp"
#include "json/json.hpp"
#include "json_schema/pointer.hpp"
#include "json_schema/schema.hpp"
#include "launch/json_argument.hpp"

#include <utility>

namespace launch {

namespace {

using Tasks = std::vector<config::NewTask>;

base::Error wrong(const std::string& option, const config::Problems& problems) {
    return base::invalid(base::concat(option, " has ", base::counted(problems.count(), "error"),
                                      "; nothing was started:", problem_text(problems)));
}

// The value in the input's text.
base::Result<json::View> checked(const JsonArgument& input, const std::string& option) {
    auto value = json::checked(input.text, json::Dialect::jsonc);
    if (value.has_value()) return *value;
    config::ProblemList problems(input.text, input.name);
    problems.add(value.error().offset, value.error().message);
    return wrong(option, problems.take());
}

base::Result<Tasks> initial_tasks(const config::WorkflowConfig& config, const std::string& argument) {
    const std::string option = "--initial-state";
    auto input = json_argument(argument, option);
    if (!input) return input.error();
    auto value = checked(*input, option);
    if (!value) return value.error();
    config::ProblemList problems(input->text, input->name);
    Tasks tasks = config::read_tasks(config, *value, problems);
    if (!problems.empty()) return wrong(option, problems.take());
    return tasks;
}

base::Result<Tasks> entrypoint_task(const config::WorkflowConfig& config, const std::string& argument) {
    auto value = read_value(config.step(*config.entrypoint), argument, "--entrypoint-value");
    if (!value) return value.error();
    Tasks tasks;
    tasks.push_back({*config.entrypoint, std::move(*value)});
    return tasks;
}

base::Result<Tasks> task_with(const Parameters& parameters, const config::WorkflowConfig& config) {
    const config::Step& step = config.step(*config.entrypoint);
    if (auto checked = check_parameters(parameters, step); !checked) return checked.error();
    for (const std::string& doubt : doubtful_names(parameters, step))
        io::log::warn(doubt);
    Tasks tasks;
    tasks.push_back({*config.entrypoint, parameters.value});
    return tasks;
}

}  // namespace

// The text itself becomes the value: it may be large.
base::Result<std::string> read_value(const config::Step& step, const std::string& argument,
                                     const std::string& option) {
    auto input = json_argument(argument, option);
    if (!input) return input.error();
    auto value = checked(*input, option);
    if (!value) return value.error();
    if (auto violation = step.value_schema ? step.value_schema->violation(*value) : std::nullopt) {
        config::ProblemList problems(input->text, input->name);
        problems.add(json_schema::follow_path(*value, violation->path), config::misfit(step, *violation));
        return wrong(option, problems.take());
    }
    return json::compact_in_place(std::move(input->text));
}

base::Result<void> check_images(const config::WorkflowConfig& config,
                                const std::vector<config::NewTask>& tasks) {
    for (const config::NewTask& task : tasks) {
        const config::Step& step = config.step(task.step);
        if (auto checked = config::check_image_paths(step, task.value); !checked)
            return base::invalid(base::concat("a first task of ", json::quote(step.name), " would fail: ",
                                              checked.error().message, "; nothing was started"));
    }
    return {};
}

base::Result<std::vector<config::NewTask>> first_tasks(const config::WorkflowConfig& config,
                                                       const RunOptions& options) {
    if (options.initial_state) return initial_tasks(config, *options.initial_state);
    if (!config.entrypoint)
        return base::invalid(
            "the config has no \"entrypoint\": give the first tasks with --initial-state, an array of "
            "{\"kind\",\"value\"}");
    if (options.parameters) return task_with(*options.parameters, config);
    return entrypoint_task(config, options.entrypoint_value.value_or("{}"));
}

}  // namespace launch
