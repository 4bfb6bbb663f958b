// Does attempts at tasks: the shell around workflow/attempt. It runs scripts and submits to the pool as the
// machine says, and decides nothing.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "pool_client/submitter.hpp"
#include "pool_protocol/command_task.hpp"
#include "runner/attempt_files.hpp"
#include "runner/attempt_runner.hpp"
#include "runner/jobs.hpp"
#include "runner/local_process.hpp"
#include "runner/measurement.hpp"
#include "runner/observer.hpp"
#include "runner/result_files.hpp"
#include "runner/run_id.hpp"
#include "runner/submission_limit.hpp"
#include "workflow/attempt.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace runner {

// The coroutines of run() refer to it and to the constructor's arguments, which must outlive them.
class AttemptExecutor : public AttemptRunner {
  public:
    struct PoolCallbacks {
        // What an agent does at the attempt, or that it does not have the task any more. May be empty.
        std::function<void(const Attempt& attempt, const pool_protocol::TaskActivity& told)> on_activity;
        // Asked before each submission of a task of the step.
        std::function<bool(config::StepId step)> may_submit;
        // An agent has reported of the attempt, which may go on.
        std::function<void(const Attempt& attempt, const pool_protocol::AgentReport& report)> on_report;
    };

    // `submitter` may be null for a config without Pool steps. The ids of submissions follow from
    // `first_run_id`, the task and its content: a resumed run asks for the same answers as the run before it,
    // so that a task that an agent still has is not given to another. `observer` may be null, and
    // so may `results`: then a finally finds no results, and no step may have a `gather`.
    // `attempts_directory` is that of AttemptFiles.
    AttemptExecutor(const config::WorkflowConfig& config, RunId run_id, RunId first_run_id, Jobs& jobs,
                    pool_client::Submitter* submitter, Observer* observer, SubmissionLimit& submission_limit,
                    OutputUse output, ResultFiles* results, std::string attempts_directory,
                    PoolCallbacks callbacks)
        : config_(config),
          run_id_(std::move(run_id)),
          first_run_id_(std::move(first_run_id)),
          jobs_(jobs),
          submitter_(submitter),
          observer_(observer),
          submission_limit_(submission_limit),
          output_(output),
          results_(results),
          attempt_files_(std::move(attempts_directory)),
          callbacks_(std::move(callbacks)),
          at_pool_(config.steps.size()),
          response_schemas_(response_schemas(config)) {}

    // If `job` is empty, a script waits for one. An error concerns the whole run: the pool can't be reached.
    // If the submission was not allowed, or was withdrawn by withdraw_queued(), the error is
    // errc::operation_canceled, and the attempt is as if it had not been made. A terminal cancellation throws
    // operation_aborted.
    boost::asio::awaitable<base::Result<workflow::AttemptEnd>> run(Attempt attempt, Job job) override;

    // Withdraws the tasks that are at the pool and that no agent has. See Submitter::withdraw_queued().
    void withdraw_queued();
    // How many tasks of the step are at the pool, with an agent or queued.
    std::size_t at_pool(config::StepId step) const { return at_pool_[step.value]; }

  private:
    using Event = base::Result<workflow::AttemptEvent>;

    // What one attempt holds and measures from phase to phase.
    struct Underway {
        Attempt attempt;
        Job job;
        std::optional<AttemptFile> previous;
        Measurement measurement;
        std::shared_ptr<const std::string> agent = nullptr;  // that had the task; null if none is known
    };

    boost::asio::awaitable<Event> carry_out(Underway& underway, workflow::AttemptAction action);
    boost::asio::awaitable<Event> run_script(Underway& underway, workflow::RunScript script);
    boost::asio::awaitable<Event> gather(const Attempt& attempt, const config::Gather& gather);
    boost::asio::awaitable<Event> submit(Underway& underway, base::SplicedText payload);
    // Has an agent of the kind shell run the script.
    boost::asio::awaitable<Event> submit_command(Underway& underway, workflow::RunScript script);
    boost::asio::awaitable<base::Result<pool_protocol::Answer>> ask_pool(Underway& underway,
                                                                         pool_protocol::SubmissionId id,
                                                                         base::SplicedText payload);
    void keep_output(const Attempt& attempt, const pool_protocol::CommandEnd& end) const;
    void keep_failure(const Attempt& attempt, const pool_protocol::Answer& answer) const;
    static std::vector<std::string> response_schemas(const config::WorkflowConfig& config);
    // `script` is that of a command, of which `payload` is the input.
    pool_protocol::SubmissionId submission_id(const Attempt& attempt, const base::SplicedText& payload,
                                              std::string_view script) const;

    void enter(const Attempt& attempt, workflow::Phase phase) const {
        if (observer_) observer_->entered(attempt, phase);
    }

    const config::WorkflowConfig& config_;
    RunId run_id_;
    RunId first_run_id_;
    Jobs& jobs_;
    pool_client::Submitter* submitter_;
    Observer* observer_;
    SubmissionLimit& submission_limit_;
    OutputUse output_;
    ResultFiles* results_;
    AttemptFiles attempt_files_;
    PoolCallbacks callbacks_;
    std::vector<std::size_t> at_pool_;           // by StepId
    std::vector<std::string> response_schemas_;  // by StepId; empty for steps without agents
};

}  // namespace runner
