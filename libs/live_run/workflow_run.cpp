#include "live_run/workflow_run.hpp"

#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "displays/progress_choice.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "launch/run_files.hpp"
#include "launch/run_plan.hpp"
#include "live_run/run_report.hpp"
#include "live_run/wake.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace live_run {

namespace asio = boost::asio;
namespace log = io::log;

namespace {

std::chrono::milliseconds since_the_epoch(std::chrono::system_clock::time_point time) {
    return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch());
}

void add_absent(const RunAgents& own, progress::Agents& agents) {
    agents.resting = own.resting();
    agents.standstill = own.standstill();
    RunAgents::Parked parked = own.parked();
    agents.parked = parked.agents;
    agents.parked_until = since_the_epoch(parked.until);
    agents.time = since_the_epoch(std::chrono::system_clock::now());
}

std::shared_ptr<runner::KeptOutput> output_for(const asio::any_io_executor& executor,
                                               const launch::RunOptions& options,
                                               const launch::OwnRecord& record,
                                               const std::shared_ptr<const output::Redaction>& redaction) {
    if (!record.has_directory() || !options.keep_output.is_kept) return nullptr;
    return std::make_shared<runner::KeptOutput>(executor, record.output_path(), options.keep_output.limit,
                                                redaction);
}

std::unique_ptr<runner::ResultFiles> results_for(const asio::any_io_executor& executor,
                                                 const config::WorkflowConfig& config,
                                                 const statelog::LogFile& log,
                                                 const launch::OwnRecord& record) {
    if (std::ranges::none_of(config.steps, &config::Step::has_finally)) return nullptr;
    return std::make_unique<runner::ResultFiles>(executor, config, log.open_for_reading(),
                                                 record.results_path());
}

}  // namespace

WorkflowRun::WorkflowRun(asio::any_io_executor executor, const launch::RunOptions& options,
                         pool_protocol::PoolDirectory directory, launch::Beginning beginning,
                         process::Guard* guard, CommandToResume command_to_resume)
    : executor_(executor),
      options_(options),
      config_(std::move(beginning.config)),
      run_id_(std::move(beginning.run_id)),
      first_run_id_(std::move(beginning.first_run_id)),
      jobs_(options.jobs),
      directory_(std::move(directory)),
      start_(std::move(beginning.start)),
      resumed_(std::move(beginning.resumed)),
      reuse_(std::move(beginning.reuse)),
      log_path_(beginning.log.path()),
      record_(std::move(beginning.record)),
      results_(results_for(executor, *config_, beginning.log, record_)),
      journal_(executor, std::move(beginning.log), options.fsync,
               [this](base::Error error) {
                   if (runner_) runner_->log_failed(std::move(error));
               }),
      redaction_(launch::redaction_for(options.redacts, *config_)),
      output_(output_for(executor, options, record_, redaction_)),
      progress_(displays::make_progress(executor, options.progress, options.color, watched())),
      signals_(executor, options.log_file.has_value()),
      pool_side_(executor, options, *config_, run_id_, log_path_, guard),
      command_to_resume_(std::move(command_to_resume)),
      work_(executor, io::end_process),
      background_(executor, io::end_process) {
    io::set_last_words({{}, [this] { abandon(io::internal_error_code); }});
    if (progress_) observers_.add(*progress_);
    if (!record_.has_directory()) return;
    viewers_.emplace(executor, watched());
    observers_.add(*viewers_);
}

WorkflowRun::~WorkflowRun() {
    io::set_last_words({});
}

asio::awaitable<void> WorkflowRun::main() {
    log::info("state log: ", log_path_);
    if (reuse_ && reuse_->run) log::info("results of run ", reuse_->source.run_id, " are reused");
    launch::tell_of_others(record_.record());
    background_.spawn("signals",
                      signals_.watch([this] { work_.cancel(); }, [this](int code) { abandon(code); }));
    background_.spawn("record", keep_record());
    if (progress_) background_.spawn("progress", progress_->show());
    if (record_.has_directory()) open_control();
    work_.spawn("run", work());
    co_await work_.join();
    refuse_early_answers();
    co_await end_all_but_log();
    if (output_) output_->finish();
    report_outcome();
    co_await close_log();
    end_record(exit_code());
    if (exit_code() != base::ExitCode::ok) report_next_command();
    if (viewers_) viewers_->end(exit_code());
    control_.reset();
}

asio::awaitable<void> WorkflowRun::work() {
    if (!open_pool()) {
        exit_code_ = base::ExitCode::unavailable;
        co_return;
    }
    bool is_awake = co_await run_wake(options_.wake);
    if (!is_awake) co_return;
    open_runner();
    update_record();
    outcome_ = co_await runner_->run();
    bool has_finished = outcome_->end == runner::Outcome::End::finished;
    if (has_finished && pool_side_.is_open() && !options_.has_own_pool())
        co_await pool_side_.agents().drain();
}

bool WorkflowRun::open_pool() {
    if (launch::has_pool_steps(*config_))
        return pool_side_.open(directory_, {[this](const std::string& message) {
                                                if (runner_)
                                                    runner_->wind_down(runner::Outcome::End::no_agents,
                                                                       message);
                                            },
                                            agent_callbacks()});
    if (!options_.agents.empty()) log::warn("no agents are started: the config has no step of kind Pool");
    return true;
}

void WorkflowRun::open_runner() {
    runner::Settings settings{run_id_,
                              first_run_id_,
                              jobs_,
                              pool_side_.is_open() ? &pool_side_.pool().submitter() : nullptr,
                              &journal_,
                              &observers_,
                              launch::budget_of(options_, *config_)};
    settings.output = {output_.get(), redaction_};
    settings.results = results_.get();
    settings.bounds = launch::bounds_of(options_, *config_);
    settings.exit_when_waiting = options_.exit_when_waiting;
    settings.on_waiting = [this](std::size_t questions) { note_waiting(questions); };
    settings.attempts_directory = launch::attempts_directory(record_.directory(), run_id_);
    if (reuse_ && reuse_->run)
        settings.take_result = [run = reuse_->run](const workflow::Task& task) { return run->take(task); };
    if (settings.budget && options_.has_own_pool()) settings.agents = pool_side_.agents().by_step();
    runner_.emplace(executor_, *config_, std::move(settings), std::move(start_));
    if (record_.is_paused()) {
        log::warn("the run is paused, as the one that it resumes was; `barnum continue ", run_id_,
                  "` continues it");
        runner_->set_paused(true);
        show_pause(true);
    }
    if (!agents_failure_.empty()) runner_->agents_failed(agents_failure_);
    for (const auto& [step, why] : unserved_)
        runner_->step_unserved(step, why);
    take_early_answers();
}

RunAgents::Callbacks WorkflowRun::agent_callbacks() {
    return {[this](std::string message) {
                agents_failure_ = std::move(message);
                if (runner_) runner_->agents_failed(agents_failure_);
            },
            [this](config::StepId step, std::string message) {
                if (!options_.fail_fast) return;
                if (runner_) runner_->step_unserved(step, message);
                unserved_.emplace(step, std::move(message));
            }};
}

std::optional<progress::Agents> WorkflowRun::agents() const {
    bool is_hosted = pool_side_.is_hosted();
    pool::Load load = is_hosted ? pool_side_.pool().load() : pool::Load();
    progress::Agents agents;
    agents.idle = load.idle + load.heartbeat;
    agents.busy = load.busy + load.ending;
    if (pool_side_.is_open()) add_absent(pool_side_.agents(), agents);
    if (!is_hosted && agents.standstill.empty()) return std::nullopt;
    return agents;
}

displays::WatchedRun::Usage WorkflowRun::usage() const {
    if (!runner_) return {};
    return {outcome_ ? outcome_->usage : runner_->usage(), runner_->budget()};
}

// The process exits at once.
void WorkflowRun::abandon(int exit_code) {
    if (progress_) progress_->abandon();
    end_record(exit_code);
    report_next_command();
}

asio::awaitable<void> WorkflowRun::end_all_but_log() {
    co_await pool_side_.disconnect();
    background_.cancel();
    co_await background_.join();
    co_await pool_side_.leave();
}

// A run whose end could not be made durable has not succeeded.
asio::awaitable<void> WorkflowRun::close_log() {
    base::Result<void> closed = co_await journal_.close();
    if (closed) co_return;
    if (exit_code_ != base::ExitCode::io_error) log::error(closed.error().message);
    exit_code_ = base::ExitCode::io_error;
}

void WorkflowRun::report_outcome() {
    if (!outcome_) return;
    if (progress_) progress_->finish(*outcome_);
    if (viewers_) viewers_->finish(*outcome_);
    exit_code_ = exit_code_for(*outcome_);
    live_run::report_outcome(*config_, *outcome_, progress_ && progress_->leaves_table());
}

EndOfRun WorkflowRun::end() const {
    return {record_.record(), record_.directory(),
            resume_command(options_, log_path_, outcome_ ? &*outcome_ : nullptr,
                           exit_code_ != base::ExitCode::io_error, command_to_resume_)};
}

void WorkflowRun::report_next_command() const {
    live_run::report_next_command(options_, log_path_, outcome_ ? &*outcome_ : nullptr,
                                  exit_code_ != base::ExitCode::io_error, command_to_resume_);
}

}  // namespace live_run
