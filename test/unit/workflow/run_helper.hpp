// A run without a shell round it: decides, applies, and keeps the history.
#pragma once

#include "workflow/machine.hpp"

#include <string>
#include <utility>
#include <vector>

namespace workflow_test {

using namespace workflow;

inline config::Step command_step(std::string name) {
    config::Step step;
    step.name = std::move(name);
    step.action = config::Command{"true"};
    return step;
}

inline config::Step pool_step(std::string name) {
    config::Step step = command_step(std::move(name));
    step.action = config::PoolAction{"do it"};
    return step;
}

inline config::Step human_step(std::string name) {
    config::Step step = command_step(std::move(name));
    step.action = config::HumanAction{"Is it good?", {}};
    return step;
}

inline config::WorkflowConfig workflow_of(std::vector<config::Step> steps) {
    config::WorkflowConfig config;
    config.steps = std::move(steps);
    for (std::uint32_t i = 0; i < config.steps.size(); ++i)
        config.by_name[config.steps[i].name] = {i};
    return config;
}

inline Failure failure(Failure::Kind kind) {
    Failure failure;
    failure.kind = kind;
    failure.message = "it failed";
    return failure;
}

struct Run {
    explicit Run(config::WorkflowConfig workflow) : config(std::move(workflow)), state(config) {}

    void apply_all(const Group& group) {
        for (const Entry& entry : group)
            apply(config, state, entry).value();
        history.insert(history.end(), group.begin(), group.end());
    }

    void begin(const std::vector<std::string>& steps) {
        std::vector<config::NewTask> tasks;
        for (const auto& step : steps)
            tasks.push_back({*config.find(step), "{}"});
        apply_all(decide_initial(state, std::move(tasks)));
    }

    Group end(TaskId task, AttemptResult result) {
        Group group = decide(config, state, task, std::move(result));
        apply_all(group);
        return group;
    }

    Group answer(TaskId task, AttemptResult result) {
        Group group = decide_answered(config, state, task, std::move(result), {"ann"});
        apply_all(group);
        return group;
    }

    Group succeed(TaskId task, const std::vector<std::string>& next = {}) {
        std::vector<config::NewTask> tasks;
        for (const auto& step : next)
            tasks.push_back({*config.find(step), "1.0"});
        return end(task, std::move(tasks));
    }

    Group fail(TaskId task, Failure::Kind kind = Failure::Kind::command_failed) {
        return end(task, failure(kind));
    }

    // Takes the next task; there must be one.
    TaskId take() { return take_ready(config, state).value(); }

    const Task& task(TaskId id) const { return state.tasks.at(id); }
    const StepCounters& counters(const std::string& step) const {
        return state.steps[config.find(step)->value];
    }

    config::WorkflowConfig config;
    State state;
    Group history;
};

// The tasks that a group submits.
inline std::vector<TaskSubmitted> submitted(const Group& group) {
    std::vector<TaskSubmitted> found;
    for (const Entry& entry : group)
        if (auto* submitted = std::get_if<TaskSubmitted>(&entry)) found.push_back(*submitted);
    return found;
}

}  // namespace workflow_test
