#include "workflow_run.hpp"

#include "io/log.hpp"
#include "io/signals.hpp"
#include "process/child_process.hpp"
#include "run_plan.hpp"
#include "run_report.hpp"
#include "wake.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <csignal>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace barnum {

namespace asio = boost::asio;
namespace log = io::log;

namespace {

// One Ctrl-C may arrive twice: from the terminal, and passed on by a wrapper like `timeout`.
constexpr std::chrono::milliseconds same_signal{100};

}  // namespace

WorkflowRun::WorkflowRun(asio::any_io_executor executor, const RunOptions& options,
                         pool_protocol::PoolDirectory directory, Beginning beginning, process::Guard* guard)
    : executor_(executor),
      options_(options),
      config_(std::move(beginning.config)),
      run_id_(std::move(beginning.run_id)),
      first_run_id_(std::move(beginning.first_run_id)),
      directory_(std::move(directory)),
      start_(std::move(beginning.start)),
      resumed_(std::move(beginning.resumed)),
      log_path_(beginning.log.path()),
      journal_(executor, std::move(beginning.log), options.fsync,
               [this](base::Error error) {
                   if (runner_) runner_->log_failed(std::move(error));
               }),
      progress_(Progress::make(executor, options.progress, options.color,
                               {config_, run_id_, log_path_, [this] { return agents(); }})),
      signals_(executor, SIGINT, SIGTERM),
      guard_(guard),
      work_(executor, io::log_exception),
      background_(executor, io::log_exception) {
    if (!io::is_ignored(SIGHUP)) signals_.add(SIGHUP);  // nohup
    io::unblock_ending_signals();
    watch_.emplace(executor);
}

WorkflowRun::~WorkflowRun() = default;

asio::awaitable<void> WorkflowRun::main() {
    log::info("state log: ", log_path_);
    background_.spawn("signals", watch_signals());
    if (progress_) background_.spawn("progress", progress_->show());
    work_.spawn("run", work());
    co_await work_.join();
    co_await end_all_but_log();
    report_outcome();
    co_await close_log();
    if (exit_code() != cli::ExitCode::ok) report_next_command();
}

asio::awaitable<void> WorkflowRun::work() {
    if (has_pool_steps(*config_)) {
        pool_.emplace(executor_, *watch_, options_, directory_, run_id_);
        if (!pool_->open()) {
            exit_code_ = cli::ExitCode::unavailable;
            co_return;
        }
    }
    start_agents();
    if (options_.wake) {
        base::Result<void> woken = co_await run_wake(*options_.wake);
        if (!woken) {
            log::error(woken.error().message);
            co_return;
        }
    }
    runner::Settings settings{run_id_,   first_run_id_,  options_.jobs, pool_ ? &pool_->submitter() : nullptr,
                              &journal_, progress_.get()};
    runner_.emplace(executor_, *config_, std::move(settings), std::move(start_));
    if (!agents_failure_.empty()) runner_->agents_failed(agents_failure_);
    outcome_ = co_await runner_->run();
    bool has_finished = outcome_->end == runner::Outcome::End::finished;
    if (has_finished && agents_ && !options_.has_own_pool()) co_await agents_->drain();
}

void WorkflowRun::start_agents() {
    if (!pool_) {
        if (options_.agents > 0) log::warn("no agents are started: the config has no step of kind Pool");
        return;
    }
    RunAgents::Callbacks callbacks{[this] { return pool_->is_hosted(); },
                                   [this](std::string message) {
                                       agents_failure_ = std::move(message);
                                       if (runner_) runner_->agents_failed(agents_failure_);
                                   }};
    agents_.emplace(executor_, *watch_, pool_->directory(), options_, run_id_, guard_, std::move(callbacks));
    agents_->start();
}

std::optional<progress::Agents> WorkflowRun::agents() const {
    bool is_hosted = pool_ && pool_->is_hosted();
    pool::Load load = is_hosted ? pool_->load() : pool::Load();
    progress::Agents agents{load.idle + load.heartbeat, load.busy + load.ending, 0, ""};
    if (agents_) agents.resting = agents_->resting();
    if (agents_) agents.standstill = agents_->standstill();
    if (!is_hosted && agents.standstill.empty()) return std::nullopt;
    return agents;
}

// The first signal ends the run in order, the second at once.
asio::awaitable<void> WorkflowRun::watch_signals() {
    signal_ = co_await signals_.async_wait(asio::use_awaitable);
    log::warn("got SIG", ::sigabbrev_np(signal_),
              ": ending all running commands; send it once more to exit at once");
    work_.cancel();
    auto first = std::chrono::steady_clock::now();
    int again = signal_;
    do {
        again = co_await signals_.async_wait(asio::use_awaitable);
    } while (std::chrono::steady_clock::now() - first < same_signal);
    process::kill_all_children();
    if (progress_) progress_->abandon();
    report_next_command();
    log::flush(same_signal);
    ::_exit(128 + again);
}

// The pool last: until then agents and submitter still talk to its daemon.
asio::awaitable<void> WorkflowRun::end_all_but_log() {
    if (agents_) co_await agents_->stop();
    if (pool_) co_await pool_->disconnect();
    background_.cancel();
    co_await background_.join();
    if (pool_) co_await pool_->leave();
    agents_.reset();
    watch_.reset();
}

// A run whose end could not be made durable has not succeeded.
asio::awaitable<void> WorkflowRun::close_log() {
    base::Result<void> closed = co_await journal_.close();
    if (closed) co_return;
    if (exit_code_ != cli::ExitCode::io_error) log::error(closed.error().message);
    exit_code_ = cli::ExitCode::io_error;
}

void WorkflowRun::report_outcome() {
    if (!outcome_) return;
    if (progress_) progress_->finish(*outcome_);
    exit_code_ = exit_code_for(*outcome_);
    barnum::report_outcome(*config_, *outcome_, progress_ && progress_->leaves_table());
}

void WorkflowRun::report_next_command() const {
    barnum::report_next_command(options_, log_path_, outcome_ ? &*outcome_ : nullptr,
                                exit_code_ != cli::ExitCode::io_error);
}

}  // namespace barnum
