// Shows the progress of a run on stderr, in the format that `--progress` selects: a table that is redrawn in
// place, a summary line from time to time, or a stream of events. Counts the runner's events; decides
// nothing.
#pragma once

#include "config/workflow_config.hpp"
#include "progress/model.hpp"
#include "progress/table.hpp"
#include "runner/observer.hpp"
#include "runner/outcome.hpp"
#include "terminal/color.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace barnum {

// `automatic`: tty on a terminal that can move its cursor, otherwise plain.
enum class ProgressMode { automatic, tty, plain, json, none };

std::optional<ProgressMode> parse_progress_mode(std::string_view name);  // "auto", "tty", …
std::string_view name_of(ProgressMode mode);

// The run that is watched. References must outlive the Progress.
struct WatchedRun {
    std::shared_ptr<const config::WorkflowConfig> config;
    const std::string& run_id;
    const std::string& state_log;
    std::function<std::optional<progress::Agents>()> agents;  // of the pool, if they are known
};

// All calls from the executor's thread. Only one object at a time, because it is the log's presenter.
class Progress : public runner::Observer {
  public:
    // Null for ProgressMode::none.
    static std::unique_ptr<Progress> make(const boost::asio::any_io_executor& executor, ProgressMode mode,
                                          terminal::Color color, WatchedRun run);
    ~Progress() override = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Shows the progress until it is cancelled.
    virtual boost::asio::awaitable<void> show() = 0;
    // Shows the final state. Call once, after the run and show() have ended, before the outcome is reported.
    void finish(const runner::Outcome& outcome);
    // Leaves stderr in order, because the program exits at once.
    virtual void abandon() {}
    // Whether finish() leaves a table of the steps.
    virtual bool leaves_table() const { return false; }

    void begun(const workflow::State& state) override;
    void started(const runner::Attempt& attempt) override;
    void entered(const runner::Attempt& attempt, workflow::Phase phase) override;
    void decided(const runner::Decision& decision) override;

  protected:
    explicit Progress(WatchedRun run);

    virtual void changed() {}
    virtual void conclude(const runner::Outcome& outcome) = 0;

    bool has_begun() const { return model_.has_value(); }
    const progress::Model& model() const { return *model_; }
    const WatchedRun& run() const { return run_; }

  private:
    std::size_t row(config::StepId step, bool is_finally) const {
        return rows_[step.value] + (is_finally ? 1 : 0);
    }

    WatchedRun run_;
    std::vector<std::size_t> rows_;  // by StepId; a step's finally has the row after it
    std::optional<progress::Model> model_;
};

progress::Time now();
progress::TaskPhase phase_of(workflow::Phase phase);

}  // namespace barnum
