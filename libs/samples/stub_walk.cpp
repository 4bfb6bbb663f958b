#include "samples/stub_walk.hpp"

#include "base/text.hpp"
#include "config/finally_steps.hpp"
#include "config/image_paths.hpp"
#include "json_schema/sample.hpp"

#include <algorithm>

namespace samples {

StubWalk::StubWalk(const config::WorkflowConfig& config)
    : config_(config), visited_(config.steps.size()), finally_visited_(config.steps.size()) {
    values_.reserve(config.steps.size());
    for (const config::Step& step : config.steps)
        values_.push_back(stub_value(step));
}

std::vector<config::NewTask> StubWalk::answer(config::StepId id, bool is_finally) {
    std::vector<bool>& visited = is_finally ? finally_visited_ : visited_;
    if (visited[id.value]) return {};
    visited[id.value] = true;
    const config::Step& step = config_.step(id);
    if (!is_finally) {
        check_images(id);
        return lead_to(step.name, step.next);
    }
    config::FinallySteps emitted = config::finally_steps(config_, step);
    met_open_finally_ = met_open_finally_ || emitted.is_open;
    return lead_to(step.name + " (finally)", emitted.named);
}

// Without a schema, nothing is known of the values.
void StubWalk::check_images(config::StepId id) {
    const config::Step& step = config_.step(id);
    const auto& value = values_[id.value];
    if (!step.value_schema || !value) return;
    if (auto checked = config::check_image_paths(step, *value); !checked)
        failures_.push_back(base::concat(step.name, ": a task with the value ", *value,
                                         ", which fits the schema, would fail: ", checked.error().message));
}

std::vector<config::NewTask> StubWalk::lead_to(const std::string& name,
                                               const std::vector<config::StepId>& steps) {
    std::vector<config::NewTask> tasks;
    for (config::StepId next : steps) {
        const auto& value = values_[next.value];
        if (value)
            tasks.push_back({next, *value});
        else
            failures_.push_back(
                base::concat(name, " → ", config_.step(next).name, ": ", value.error().message));
    }
    transitions_taken_ += tasks.size();
    return tasks;
}

std::size_t StubWalk::steps_visited() const {
    return static_cast<std::size_t>(std::ranges::count(visited_, true));
}

std::size_t StubWalk::transitions() const {
    std::size_t all = 0;
    for (const config::Step& step : config_.steps)
        all += step.next.size() + config::finally_steps(config_, step).named.size();
    return all;
}

std::vector<config::StepId> StubWalk::never_reached() const {
    std::vector<config::StepId> steps;
    for (std::uint32_t i = 0; i < visited_.size(); ++i)
        if (!visited_[i]) steps.push_back({i});
    return steps;
}

base::Result<std::string> stub_value(const config::Step& step) {
    if (!step.value_schema) return std::string("{}");
    auto value = json_schema::sample_value(*step.value_schema);
    if (value) return value;
    return base::with_context(base::concat("the value_schema of ", step.name), value.error());
}

}  // namespace samples
