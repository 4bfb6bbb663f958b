// One attempt at a task from its start to its result: pre hook, action, post hook, each with the step's
// timeout, or the script of a finally. Knows nothing of retries, of other tasks or of the run's
// state.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "pool_client/submitter.hpp"
#include "runner/attempt_runner.hpp"
#include "runner/jobs.hpp"
#include "runner/local_process.hpp"
#include "runner/observer.hpp"
#include "workflow/hooks.hpp"
#include "workflow/machine.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <string_view>

namespace runner {

// The coroutines of run() refer to it and to what it was given: it must outlive them.
class Lifecycle : public AttemptRunner {
  public:
    // `submitter` may be null for a config without Pool steps. Submissions to the pool get ids that follow
    // from `first_run_id`, the task and its payload: a resumed run asks for the same answers as the run
    // before it did, and nobody works on a task twice who still has it. `observer` may be null.
    Lifecycle(const config::WorkflowConfig& config, std::string run_id, std::string first_run_id, Jobs& jobs,
              pool_client::Submitter* submitter, Observer* observer)
        : config_(config),
          run_id_(std::move(run_id)),
          first_run_id_(std::move(first_run_id)),
          jobs_(jobs),
          submitter_(submitter),
          observer_(observer) {}

    // `job` may be empty: one is waited for where a local process is to run. An error is not the task's but
    // the run's: the pool can't be reached. A terminal cancellation throws operation_aborted.
    boost::asio::awaitable<base::Result<workflow::AttemptResult>> run(Attempt attempt, Job job) override;

  private:
    using ActionResult = workflow::ActionResult;

    boost::asio::awaitable<workflow::AttemptResult> run_finally(Attempt attempt, Job job);
    boost::asio::awaitable<std::variant<workflow::Value, workflow::Failure>> run_pre(const Attempt& attempt,
                                                                                     Job& job);
    boost::asio::awaitable<base::Result<ActionResult>> run_action(const Attempt& attempt,
                                                                  workflow::Value input, Job& job);
    boost::asio::awaitable<ActionResult> run_command(const Attempt& attempt, workflow::Value input, Job& job);
    boost::asio::awaitable<base::Result<ActionResult>> run_pool(const Attempt& attempt,
                                                                workflow::Value input);
    boost::asio::awaitable<workflow::AttemptResult> run_post(const Attempt& attempt, workflow::Value input,
                                                             ActionResult result, Job& job);
    boost::asio::awaitable<process::ChildResult> run_process(const Attempt& attempt, LocalProcess process,
                                                             Job& job);

    void enter(const Attempt& attempt, Phase phase) const {
        if (observer_) observer_->entered(attempt, phase);
    }
    std::string submission_id(const Attempt& attempt, const base::SplicedText& payload) const;
    // `agent`: who it is from; empty for a command, or where that isn't known.
    ActionResult read_response(const config::Step& step, std::string text, const std::string& agent) const;

    const config::WorkflowConfig& config_;
    std::string run_id_;
    std::string first_run_id_;
    Jobs& jobs_;
    pool_client::Submitter* submitter_;
    Observer* observer_;
};

}  // namespace runner
