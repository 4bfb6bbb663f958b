// A walk through a workflow's graph with made-up responses. It takes every possible transition once and ends
// then, even if there are cycles. Only supplies the responses of actions; makes no decisions about tasks.
// Pure.
//
// The response of a step's first task contains one task for each step in its `next`, with a value that
// satisfies that step's schema; later responses are []. A `finally` gets a response in the same way, with the
// steps that its script names (config/finally_steps).
#pragma once

#include "base/error.hpp"
#include "config/response.hpp"
#include "config/workflow_config.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace samples {

class StubWalk {
  public:
    // Makes up a value for each step that follows another one. The config must outlive this object.
    explicit StubWalk(const config::WorkflowConfig& config);

    // The response of a task of the step `id`.
    std::vector<config::NewTask> answer(config::StepId id, bool is_finally);

    // The steps that were skipped because no value was found for them, "Analyze → Report: …", and those whose
    // "images" the values do not have.
    const std::vector<std::string>& failures() const { return failures_; }

    std::size_t steps_visited() const;
    std::size_t transitions_taken() const { return transitions_taken_; }
    std::size_t transitions() const;
    std::vector<config::StepId> never_reached() const;
    // Whether there was a `finally` that may start steps which its text does not name.
    bool met_open_finally() const { return met_open_finally_; }

  private:
    void check_images(config::StepId id);
    std::vector<config::NewTask> lead_to(const std::string& name, const std::vector<config::StepId>& steps);

    const config::WorkflowConfig& config_;
    std::vector<base::Result<std::string>> values_;  // by StepId
    std::vector<bool> visited_;                      // by StepId
    std::vector<bool> finally_visited_;              // by StepId
    std::vector<std::string> failures_;
    std::size_t transitions_taken_ = 0;
    bool met_open_finally_ = false;
};

// The value that the walk uses for tasks of that step; {} if it has no schema.
base::Result<std::string> stub_value(const config::Step& step);

}  // namespace samples
