// Does attempts at tasks: the shell around workflow/attempt. It runs scripts and submits to the pool as the
// machine says, and decides nothing.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "pool_client/submitter.hpp"
#include "runner/attempt_runner.hpp"
#include "runner/jobs.hpp"
#include "runner/observer.hpp"
#include "runner/run_id.hpp"
#include "workflow/attempt.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace runner {

// The coroutines of run() refer to it and to the constructor's arguments, which must outlive them.
class Lifecycle : public AttemptRunner {
  public:
    // `submitter` may be null for a config without Pool steps. The ids of submissions follow from
    // `first_run_id`, the task and its content: a resumed run asks for the same answers as the run before it,
    // so that a task that an agent still has is not given to another. `observer` may be null.
    Lifecycle(const config::WorkflowConfig& config, RunId run_id, RunId first_run_id, Jobs& jobs,
              pool_client::Submitter* submitter, Observer* observer)
        : config_(config),
          run_id_(std::move(run_id)),
          first_run_id_(std::move(first_run_id)),
          jobs_(jobs),
          submitter_(submitter),
          observer_(observer) {}

    // If `job` is empty, a script waits for one. An error concerns the whole run: the pool can't be reached.
    // A terminal cancellation throws operation_aborted.
    boost::asio::awaitable<base::Result<workflow::AttemptResult>> run(Attempt attempt, Job job) override;

  private:
    using Event = base::Result<workflow::AttemptEvent>;

    boost::asio::awaitable<Event> run_script(const Attempt& attempt, workflow::RunScript script, Job& job);
    boost::asio::awaitable<Event> submit(const Attempt& attempt, base::SplicedText payload);
    pool_protocol::SubmissionId submission_id(const Attempt& attempt, const base::SplicedText& payload) const;

    void enter(const Attempt& attempt, workflow::Phase phase) const {
        if (observer_) observer_->entered(attempt, phase);
    }

    const config::WorkflowConfig& config_;
    RunId run_id_;
    RunId first_run_id_;
    Jobs& jobs_;
    pool_client::Submitter* submitter_;
    Observer* observer_;
};

}  // namespace runner
