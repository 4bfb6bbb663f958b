// A walk through a workflow's graph with made-up answers: every transition that can be taken is taken once,
// and then the walk ends, cycles or not. Decides nothing about tasks: it only says what an action would have
// answered. Pure.
//
// The first task of a step is answered with one task for each of the step's `next`, with a value that
// satisfies that one's schema; each later one with []. A finally is answered likewise with the steps that its
// script names, as far as its text tells them (config/finally_steps).
#pragma once

#include "base/error.hpp"
#include "config/response.hpp"
#include "config/workflow_config.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace workflow {

class StubWalk {
  public:
    // Makes a value up for each step that another one leads to. The config must outlive it.
    explicit StubWalk(const config::WorkflowConfig& config);

    // The next tasks of a task of `step`.
    std::vector<config::NewTask> answer(config::StepId step, bool is_finally);

    // Steps that lead to one for which no value was found, which is not walked to: "Analyze → Report: …"
    const std::vector<std::string>& failures() const { return failures_; }

    std::size_t steps_visited() const;
    std::size_t transitions_taken() const { return transitions_taken_; }
    std::size_t transitions() const;
    std::vector<config::StepId> never_reached() const;
    // Whether a finally was among the tasks that may lead to steps which its text doesn't name.
    bool met_open_finally() const { return met_open_finally_; }

  private:
    std::vector<config::NewTask> lead_to(const std::string& name, const std::vector<config::StepId>& steps);

    const config::WorkflowConfig& config_;
    std::vector<base::Result<std::string>> values_;  // by StepId
    std::vector<bool> visited_;                      // by StepId
    std::vector<bool> finally_visited_;              // by StepId
    std::vector<std::string> failures_;
    std::size_t transitions_taken_ = 0;
    bool met_open_finally_ = false;
};

// The value that the walk makes up for tasks of that step; {} where it has no schema.
base::Result<std::string> stub_value(const config::Step& step);

}  // namespace workflow
