#include "session.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"
#include "own_pool.hpp"
#include "process/child_process.hpp"
#include "run_plan.hpp"
#include "runner/runner.hpp"
#include "wake.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace barnum {

namespace asio = boost::asio;
namespace log = io::log;

namespace {

// How long a pool that went away has to come back by itself.
constexpr std::chrono::seconds takeover_delay{5};
constexpr std::chrono::seconds next_takeover_delay{1};

// For how long, and how often, a run that was asked to host the pool tries to.
constexpr std::chrono::seconds handover_time{3};
constexpr std::chrono::milliseconds handover_step{10};

constexpr std::chrono::seconds same_outage{1};

// One Ctrl-C may arrive twice: from the terminal, and passed on by a wrapper like `timeout`.
constexpr std::chrono::milliseconds same_signal{100};

int code_for(const runner::Outcome& outcome) {
    if (outcome.all_well()) return cli::ExitCode::ok;
    if (outcome.end == runner::Outcome::End::pool_unreachable) return cli::ExitCode::unavailable;
    if (outcome.end == runner::Outcome::End::log_failed) return cli::ExitCode::io_error;
    return cli::ExitCode::failure;
}

}  // namespace

Session::Session(asio::any_io_executor executor, const RunOptions& options,
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

Session::~Session() = default;

asio::awaitable<void> Session::main() {
    log::info("state log: ", log_path_);
    background_.spawn("signals", watch_signals());
    if (progress_) background_.spawn("progress", progress_->show());
    work_.spawn("run", work());
    co_await work_.join();
    if (agents_) co_await agents_->stop();
    if (submitter_) co_await submitter_->shutdown();
    background_.cancel();
    co_await background_.join();
    co_await leave_pool();
    agents_.reset();
    watch_.reset();
    if (outcome_ && progress_) progress_->finish(*outcome_);
    if (outcome_) report(*outcome_);
    co_await close_log();
    if (exit_code() != cli::ExitCode::ok) report_what_next();
}

asio::awaitable<void> Session::work() {
    if (has_pool_steps(*config_) && !prepare_pool()) co_return;
    start_agents();
    if (options_.wake) {
        base::Result<void> woken = co_await run_wake(*options_.wake);
        if (!woken) {
            log::error(woken.error().message);
            co_return;
        }
    }
    runner::Settings settings{run_id_,   first_run_id_,  options_.jobs, submitter_ ? &*submitter_ : nullptr,
                              &journal_, progress_.get()};
    runner_.emplace(executor_, *config_, std::move(settings), std::move(start_));
    if (!agents_failure_.empty()) runner_->agents_failed(agents_failure_);
    outcome_ = co_await runner_->run();
    bool is_over = outcome_->end == runner::Outcome::End::finished;
    if (is_over && agents_ && !options_.has_own_pool()) co_await agents_->drain();
}

// What could not be made durable in the end is no success.
asio::awaitable<void> Session::close_log() {
    base::Result<void> closed = co_await journal_.close();
    if (closed) co_return;
    if (exit_code_ != cli::ExitCode::io_error) log::error(closed.error().message);
    exit_code_ = cli::ExitCode::io_error;
}

// Of a run that is over nothing can be resumed, unless its end may be missing in the log.
void Session::report_what_next() const {
    bool has_failed = outcome_ && outcome_->end == runner::Outcome::End::log_failed;
    if (has_failed && ::access(log_path_.c_str(), F_OK) != 0) return;  // it was removed, and that was told
    bool is_over = outcome_ && outcome_->end == runner::Outcome::End::finished;
    if (!is_over || exit_code_ == cli::ExitCode::io_error)
        return log::write_with_command(log::Level::error,
                                       "resume this run with:", resume_command(options_, log_path_));
    if (outcome_->all_well()) return log::info("the run is finished");
    log::write_with_command(
        log::Level::error,
        "the run is over, and nothing is left for --resume-from to do; what was dropped, and why:",
        inspect_command_line(log_path_));
}

void Session::report(const runner::Outcome& outcome) {
    exit_code_ = code_for(outcome);
    bool has_table = progress_ && progress_->leaves_table();
    std::string text = has_table ? runner::headline(outcome) + runner::failures(outcome)
                                 : runner::summary(*config_, outcome);
    if (outcome.all_well())
        log::info(text);
    else
        log::error(text);
}

// The first signal ends the run in order, the second at once.
asio::awaitable<void> Session::watch_signals() {
    signal_ = co_await signals_.async_wait(asio::use_awaitable);
    log::warn("got SIG", ::sigabbrev_np(signal_), ": ending what runs; once more to leave at once");
    work_.cancel();
    auto first = std::chrono::steady_clock::now();
    int again = signal_;
    do {
        again = co_await signals_.async_wait(asio::use_awaitable);
    } while (std::chrono::steady_clock::now() - first < same_signal);
    process::kill_all_children();
    if (progress_) progress_->abandon();
    report_what_next();
    log::flush(same_signal);
    ::_exit(128 + again);
}

bool Session::prepare_pool() {
    bool has_own_pool = options_.has_own_pool();
    if (has_own_pool) {
        if (!prepare_own_pool()) return false;
    } else if (pool_daemon::is_served(directory_)) {
        log::info("using the pool daemon at ", directory_.path,
                  options_.agents > 0
                      ? "; this run's agents do others' tasks there, too, and others' agents this run's"
                      : "");
    } else if (!options_.embedded_pool) {
        log::info("waiting for a pool daemon at ", directory_.path);
    } else if (host_pool() == Hosting::failed) {
        return false;
    }
    pool_client::SubmitterOptions options;
    options.pool_wait = options_.pool_wait;
    options.on_outage = [this](const std::string& message) {
        report_outage(message);
        if (options_.embedded_pool && !stop_requested_) background_.spawn("pool takeover", take_over_pool());
    };
    if (options_.embedded_pool && !has_own_pool)
        options.on_host_request = [this] { background_.spawn("pool handover", take_over_at_once()); };
    options.outlive_pool = true;
    submitter_.emplace(executor_, *watch_, directory_, std::move(options));
    return true;
}

// Of the run that began the log, so that a resumed run finds what its agents have done; another name if
// somebody else resumes that one, too.
bool Session::prepare_own_pool() {
    Hosting hosting = host_pool();
    if (hosting != Hosting::taken) return hosting == Hosting::begun;
    directory_ = own_pool(options_, run_id_);
    return host_pool() == Hosting::begun;
}

// A daemon that was killed may still take a connection, to lose it at once: that is one outage.
void Session::report_outage(const std::string& message) {
    auto now = std::chrono::steady_clock::now();
    auto last = std::exchange(last_outage_, now);
    if (takes_over_) return log::debug(message);
    if (!last || now - *last > same_outage) log::warn(message);
}

Session::Hosting Session::host_pool() {
    pool_daemon::Options options;
    options.is_hosted = true;
    options.is_private = options_.has_own_pool();
    auto started = pool_daemon::Daemon::start(executor_, *watch_, directory_, options);
    if (started) {
        daemon_ = std::move(*started);
        background_.spawn("pool", serve_pool());
        if (options_.has_own_pool())
            log::info("a pool of the run's own for its agents: ", directory_.path);
        else
            log::info("no daemon serves the pool at ", directory_.path,
                      ": hosting it for as long as this run lasts");
        return Hosting::begun;
    }
    if (started.error().code == boost::system::errc::resource_unavailable_try_again) {
        log::info("a pool daemon is starting at ", directory_.path);
        return Hosting::taken;
    }
    log::error(started.error().message);
    exit_code_ = cli::ExitCode::unavailable;
    return Hosting::failed;
}

std::optional<progress::Agents> Session::agents() const {
    pool::Load load = daemon_ ? daemon_->load() : pool::Load();
    progress::Agents agents{load.idle + load.heartbeat, load.busy + load.ending, 0, ""};
    if (agents_) agents.resting = agents_->resting();
    if (agents_) agents.standstill = agents_->standstill();
    if (!daemon_ && agents.standstill.empty()) return std::nullopt;
    return agents;
}

// The pool was somebody's and is gone, another run's for instance: if it isn't back soon, this run hosts it.
// One that takes it over may end before this run has found it.
asio::awaitable<void> Session::take_over_pool() {
    if (std::exchange(awaits_takeover_, true)) co_return;
    asio::steady_timer timer(executor_);
    auto delay = takeover_delay;
    while (!daemon_ && !stop_requested_ && !submitter_->is_connected()) {
        timer.expires_after(delay);
        co_await timer.async_wait(asio::use_awaitable);
        delay = next_takeover_delay;
        if (daemon_ || stop_requested_ || submitter_->is_connected() || pool_daemon::is_served(directory_))
            continue;
        log::debug("no daemon has come back to the pool at ", directory_.path);
        if (host_pool() == Hosting::failed) break;
    }
    awaits_takeover_ = false;
}

// The run that hosted the pool ends, and has asked this one to go on: as soon as it has let go of the pool.
asio::awaitable<void> Session::take_over_at_once() {
    takes_over_ = true;
    asio::steady_timer timer(executor_);
    auto end = std::chrono::steady_clock::now() + handover_time;
    while (!daemon_ && !stop_requested_ && std::chrono::steady_clock::now() < end) {
        if (!pool_daemon::is_locked(directory_)) {
            host_pool();
            break;
        }
        timer.expires_after(handover_step);
        co_await timer.async_wait(asio::use_awaitable);
    }
    takes_over_ = false;
}

// Told to stop by somebody (`troupe stop`), the hosted pool makes room for another; the run waits for that
// one.
asio::awaitable<void> Session::serve_pool() {
    co_await daemon_->until_stop_requested();
    stop_requested_ = true;
    log::warn("the hosted pool was told to stop");
    co_await stop_pool();
}

asio::awaitable<void> Session::stop_pool() {
    auto daemon = std::move(daemon_);
    if (daemon) co_await daemon->stop();
}

// Others' agents and submitters keep what they have; the run's own pool goes with it.
asio::awaitable<void> Session::leave_pool() {
    auto daemon = std::move(daemon_);
    if (!daemon) co_return;
    if (options_.has_own_pool()) {
        co_await daemon->stop();
        daemon->remove_pool();
    } else {
        co_await daemon->hand_over();
    }
}

void Session::start_agents() {
    if (options_.agents > 0 && !submitter_)
        return log::warn("no agents are started: the config has no step for them, of kind Pool");
    RunAgents::Callbacks callbacks{[this] { return daemon_ != nullptr; },
                                   [this](std::string message) {
                                       agents_failure_ = std::move(message);
                                       if (runner_) runner_->agents_failed(agents_failure_);
                                   }};
    agents_.emplace(executor_, *watch_, directory_, options_, run_id_, guard_, std::move(callbacks));
    agents_->start();
}

}  // namespace barnum
