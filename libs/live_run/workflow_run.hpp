// One `barnum run` inside an io_context: starts the pool, the agents, and the runner with its state log,
// handles signals, and ends all of these in the right order. Decides nothing about tasks.
#pragma once

#include "base/exit_code.hpp"
#include "config/workflow_config.hpp"
#include "displays/progress.hpp"
#include "displays/viewers.hpp"
#include "io/task_group.hpp"
#include "launch/begin_run.hpp"
#include "launch/run_options.hpp"
#include "live_run/end_notice.hpp"
#include "live_run/ending_signals.hpp"
#include "live_run/pool_side.hpp"
#include "live_run/run_control.hpp"
#include "live_run/run_report.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "runner/kept_output.hpp"
#include "runner/observers.hpp"
#include "runner/outcome.hpp"
#include "runner/result_files.hpp"
#include "runner/runner.hpp"
#include "statelog/journal.hpp"
#include "statelog/start.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace live_run {

// All calls from the executor's thread. The options must outlive it.
class WorkflowRun {
  public:
    // `guard` may be null.
    WorkflowRun(boost::asio::any_io_executor executor, const launch::RunOptions& options,
                pool_protocol::PoolDirectory directory, launch::Beginning beginning, process::Guard* guard,
                CommandToResume command_to_resume);
    ~WorkflowRun();

    // Returns when the run has ended and nothing of it is left in the io_context.
    boost::asio::awaitable<void> main();

    // To be called after main().
    EndOfRun end() const;
    int exit_code() const { return signals_.first() ? 128 + signals_.first() : exit_code_; }

  private:
    boost::asio::awaitable<void> work();
    bool open_pool();
    void abandon(int exit_code);
    boost::asio::awaitable<void> keep_record();
    void update_record();
    void end_record(int exit_code);
    RunAgents::Callbacks agent_callbacks();
    void open_runner();
    std::optional<progress::Agents> agents() const;
    displays::WatchedRun::Usage usage() const;
    boost::asio::awaitable<void> end_all_but_log();
    boost::asio::awaitable<void> close_log();
    displays::WatchedRun watched();
    void open_control();
    void show_pause(bool is_paused);
    base::Result<std::string> set_paused(bool is_paused);
    void take_answer(runs::HumanAnswer answer, RunControl::Actions::Reply reply);
    void take_early_answers();
    void refuse_early_answers();
    void note_waiting(std::size_t questions);
    base::Result<std::string> scale(const runs::Scale& scale);
    void report_outcome();
    void report_next_command() const;

    boost::asio::any_io_executor executor_;
    const launch::RunOptions& options_;
    std::shared_ptr<const config::WorkflowConfig> config_;
    std::string run_id_;
    std::string first_run_id_;
    std::size_t jobs_;  // local processes at once
    pool_protocol::PoolDirectory directory_;
    statelog::Start start_;
    std::optional<statelog::OldLog> resumed_;
    std::optional<launch::ReusePlan> reuse_;
    std::string log_path_;
    launch::OwnRecord record_;
    std::unique_ptr<runner::ResultFiles> results_;  // null without a step that needs them
    statelog::Journal journal_;
    std::shared_ptr<const output::Redaction> redaction_;
    std::shared_ptr<runner::KeptOutput> output_;  // null: none is kept
    std::unique_ptr<displays::Progress> progress_;
    std::optional<displays::Viewers> viewers_;  // none without a directory
    std::unique_ptr<RunControl> control_;
    std::vector<std::pair<runs::HumanAnswer, RunControl::Actions::Reply>> early_answers_;
    bool refuses_answers_ = false;  // the run ends without having had a runner
    runner::Observers observers_;

    EndingSignals signals_;
    PoolSide pool_side_;  // open if there are Pool steps
    CommandToResume command_to_resume_;
    io::TaskGroup work_;
    io::TaskGroup background_;
    std::optional<runner::Runner> runner_;
    std::optional<runner::Outcome> outcome_;  // reported at the very end, so that it is the last to be read
    std::string agents_failure_;              // set when all agents have ended
    // With --fail-fast: the steps that no agent serves, and why. Not needed once the runner knows them.
    std::map<config::StepId, std::string> unserved_;
    int exit_code_ = base::ExitCode::failure;
};

}  // namespace live_run
