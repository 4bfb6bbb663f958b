// The progress of a run for the person or program at stderr, whatever its form. Counts the runner's events;
// decides nothing. progress_choice makes the form that `--progress` selects.
#pragma once

#include "config/workflow_config.hpp"
#include "output/redaction.hpp"
#include "progress/model.hpp"
#include "progress/table.hpp"
#include "runner/observer.hpp"
#include "runner/outcome.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace displays {

// The run that is watched. References must outlive the Progress.
struct WatchedRun {
    std::shared_ptr<const config::WorkflowConfig> config;
    const std::string& run_id;
    const std::string& state_log;
    // What its agents have reported; null before the runner starts. The budget is null if there is none.
    struct Usage {
        std::optional<workflow::UsageTable> table;  // nothing before the run has begun
        const workflow::Budget* budget = nullptr;
    };

    std::function<std::optional<progress::Agents>()> agents;  // of the pool, if they are known
    std::function<Usage()> usage;
    const output::Redaction* redaction = nullptr;  // of the messages of commands; may be null
};

// All calls from the executor's thread. Only one object at a time, because it is the log's presenter.
class Progress : public runner::Observer {
  public:
    ~Progress() override = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Shows the progress until it is cancelled.
    virtual boost::asio::awaitable<void> show() = 0;
    // Shows the final state. Call once, after the run and show() have ended, before the outcome is reported.
    void finish(const runner::Outcome& outcome);
    // The user has paused the run, or it continues. May be called before the run begins.
    void paused(bool is_paused);
    // Leaves stderr in order, because the program exits at once.
    virtual void abandon() {}
    // Whether finish() leaves a table of the steps.
    virtual bool leaves_table() const { return false; }

    void begun(const workflow::State& state) override;
    void started(const runner::Attempt& attempt) override;
    void entered(const runner::Attempt& attempt, workflow::Phase phase) override;
    void activity(const runner::Attempt& attempt, const pool_protocol::AgentName& agent,
                  const std::optional<pool_protocol::AgentActivity>& activity) override;
    void put_back(const runner::Attempt& attempt) override;
    void decided(const runner::Decision& decision) override;

  protected:
    explicit Progress(WatchedRun run);

    virtual void changed() {}
    virtual void conclude(const runner::Outcome& outcome) = 0;

    bool has_begun() const { return model_.has_value(); }
    const progress::Model& model() const { return *model_; }
    const WatchedRun& run() const { return run_; }
    // Empty as long as nothing was used and there is no budget.
    std::optional<progress::Spending> spending() const;

  private:
    std::size_t row(config::StepId step, bool is_finally) const {
        return rows_[step.value] + (is_finally ? 1 : 0);
    }

    WatchedRun run_;
    std::vector<std::size_t> rows_;  // by StepId; a step's finally has the row after it
    std::optional<progress::Model> model_;
    bool is_paused_ = false;
};

progress::Time now();
progress::TaskPhase phase_of(workflow::Phase phase);

}  // namespace displays
