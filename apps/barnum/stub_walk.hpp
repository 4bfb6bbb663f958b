// A walk through a workflow's graph with made-up responses: every transition that can be taken is taken once,
// and then the walk ends, even if there are cycles. Decides nothing about tasks: it only makes the responses.
// Pure.
//
// The response to the first task of a step is one task for each step in its `next`, with a value that matches
// that step's schema; the response to each later task is []. A finally leads in the same way to the steps
// that its script names, as far as they can be found in its text (config/finally_steps).
#pragma once

#include "base/error.hpp"
#include "config/response.hpp"
#include "config/workflow_config.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace barnum {

class StubWalk {
  public:
    // Makes a value for each step. The config must outlive the walk.
    explicit StubWalk(const config::WorkflowConfig& config);

    // The next tasks of a task of `step`.
    std::vector<config::NewTask> answer(config::StepId step, bool is_finally);

    // Transitions that were not taken, because no value was found for the second step: "Analyze → Report: …"
    const std::vector<std::string>& failures() const { return failures_; }

    std::size_t steps_visited() const;
    std::size_t transitions_taken() const { return transitions_taken_; }
    std::size_t transitions() const;
    std::vector<config::StepId> never_reached() const;
    // Whether there was a finally that may lead to steps that its text does not name.
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

// The value of the walk's tasks of that step; {} if the step has no schema.
base::Result<std::string> stub_value(const config::Step& step);

}  // namespace barnum
