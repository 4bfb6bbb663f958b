// Limits how many tasks of a run are at the pool: not more than there are agents for them. Then no task waits
// at the pool, and each is submitted only when the run knows what the one before it has used. For runs with a
// budget and agents of their own.
#pragma once

#include "base/labels.hpp"
#include "config/workflow_config.hpp"
#include "runner/jobs.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace runner {

// All calls from the executor's thread.
class SubmissionLimit {
  public:
    // `agents`: by StepId, how many agents fit the tasks of the step; empty: there is no limit. Steps with
    // the same labels share their agents.
    SubmissionLimit(const boost::asio::any_io_executor& executor, const config::WorkflowConfig& config,
                    const std::vector<std::size_t>& agents);

    // Other numbers than before. No effect if there was no limit.
    void set_agents(const std::vector<std::size_t>& agents);

    // Waits until a task of the Pool step may be submitted; those of steps with a higher priority are first.
    // The Job is to be kept until it is answered; it is
    // empty if there is no limit. A terminal cancellation throws operation_aborted.
    boost::asio::awaitable<Job> acquire(config::StepId step);

  private:
    std::map<base::Labels, std::unique_ptr<Jobs>> by_labels_;
    std::vector<Jobs*> by_step_;            // null: no limit
    std::vector<std::int32_t> priorities_;  // by StepId
};

}  // namespace runner
