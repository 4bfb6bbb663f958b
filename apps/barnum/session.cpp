#include "session.hpp"

#include "base/text.hpp"
#include "io/child_process.hpp"
#include "io/log.hpp"
#include "io/signals.hpp"
#include "pool_client/pool_wait.hpp"
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

// Between an agent's loss of the pool and its next try.
constexpr std::chrono::seconds agent_pause{1};

// How long a pool that went away has to come back by itself.
constexpr std::chrono::seconds takeover_delay{5};

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
                 pool_protocol::PoolDirectory directory, Beginning beginning)
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
      work_(executor, io::log_exception),
      agents_(executor, io::log_exception),
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
    agents_.cancel();
    co_await agents_.join();
    if (submitter_) co_await submitter_->shutdown();
    background_.cancel();
    co_await background_.join();
    co_await stop_pool();
    watch_.reset();
    if (outcome_ && progress_) progress_->finish(*outcome_);
    if (outcome_) report(*outcome_);
    co_await close_log();
    if (exit_code() != cli::ExitCode::ok) tell_what_next();
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
}

// What could not be made durable in the end is no success.
asio::awaitable<void> Session::close_log() {
    base::Result<void> closed = co_await journal_.close();
    if (closed) co_return;
    if (exit_code_ != cli::ExitCode::io_error) log::error(closed.error().message);
    exit_code_ = cli::ExitCode::io_error;
}

// Of a run that is over nothing can be resumed, unless its end may be missing in the log.
void Session::tell_what_next() const {
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

// The first signal ends the run in order, the second at once (R37).
asio::awaitable<void> Session::watch_signals() {
    signal_ = co_await signals_.async_wait(asio::use_awaitable);
    log::warn("got SIG", ::sigabbrev_np(signal_), ": ending what runs; once more to leave at once");
    work_.cancel();
    auto first = std::chrono::steady_clock::now();
    int again = signal_;
    do {
        again = co_await signals_.async_wait(asio::use_awaitable);
    } while (std::chrono::steady_clock::now() - first < same_signal);
    io::kill_all_children();
    if (progress_) progress_->abandon();
    tell_what_next();
    log::flush(same_signal);
    ::_exit(128 + again);
}

bool Session::prepare_pool() {
    if (pool_daemon::is_served(directory_)) {
        log::info("using the pool daemon at ", directory_.path);
    } else if (!options_.embedded_pool) {
        log::info("waiting for a pool daemon at ", directory_.path);
    } else if (!host_pool()) {
        return false;
    }
    pool_client::SubmitterOptions options;
    options.pool_wait = options_.pool_wait;
    options.on_outage = [this](const std::string& message) {
        tell_outage(message);
        if (options_.embedded_pool && !told_to_stop_) background_.spawn("pool takeover", take_over_pool());
    };
    options.outlive_pool = true;
    submitter_.emplace(executor_, *watch_, directory_, std::move(options));
    return true;
}

// A daemon that was killed may still take a connection, to lose it at once: that is one outage.
void Session::tell_outage(const std::string& message) {
    auto now = std::chrono::steady_clock::now();
    auto last = std::exchange(last_outage_, now);
    if (!last || now - *last > same_outage) log::warn(message);
}

bool Session::host_pool() {
    pool_daemon::Options options;
    options.is_hosted = true;
    auto started = pool_daemon::Daemon::start(executor_, *watch_, directory_, options);
    if (started) {
        daemon_ = std::move(*started);
        background_.spawn("pool", serve_pool());
        log::info("no daemon serves the pool at ", directory_.path,
                  ": hosting it for as long as this run lasts");
        return true;
    }
    if (started.error().code == boost::system::errc::resource_unavailable_try_again) {
        log::info("a pool daemon is starting at ", directory_.path);
        return true;
    }
    log::error(started.error().message);
    exit_code_ = cli::ExitCode::unavailable;
    return false;
}

std::optional<progress::Agents> Session::agents() const {
    if (!daemon_) return std::nullopt;
    pool::Load load = daemon_->load();
    return progress::Agents{load.idle + load.heartbeat, load.busy, resting_agents_};
}

// The pool was somebody's and is gone, another run's for instance: if it isn't back soon, this run hosts it
// (R30).
asio::awaitable<void> Session::take_over_pool() {
    asio::steady_timer timer(executor_, takeover_delay);
    co_await timer.async_wait(asio::use_awaitable);
    if (!daemon_ && !told_to_stop_ && !pool_daemon::is_served(directory_)) host_pool();
}

// Told to stop by somebody (`troupe stop`), the hosted pool makes room for another; the run waits for that
// one (R29).
asio::awaitable<void> Session::serve_pool() {
    co_await daemon_->until_stop_requested();
    told_to_stop_ = true;
    log::warn("the hosted pool was told to stop");
    co_await stop_pool();
}

asio::awaitable<void> Session::stop_pool() {
    auto daemon = std::move(daemon_);
    if (daemon) co_await daemon->stop();
}

void Session::start_agents() {
    if (options_.agents > 0 && !submitter_)
        return log::warn("no agents are started: the config has no step for them, of kind Pool");
    for (std::size_t i = 1; i <= options_.agents; ++i) {
        pool_client::AgentOptions agent{base::concat("agent-", i),
                                        options_.agent_exec,
                                        options_.directory,
                                        {{"BARNUM_RUN_ID", run_id_}},
                                        true,
                                        [this] { return daemon_ != nullptr; },
                                        &resting_agents_};
        std::string name = agent.name;
        agents_.spawn(std::move(name), keep_agent(std::move(agent)));
    }
}

asio::awaitable<void> Session::keep_agent(pool_client::AgentOptions options) {
    while (true) {
        pool_client::AgentOptions copy = options;
        base::Error ended = co_await pool_client::run_agent(*watch_, directory_, std::move(copy));
        if (ended.code == pool_client::command_unusable) {
            agent_failed(options.name, std::move(ended));
            co_return;
        }
        co_await await_pool(std::move(ended));
    }
}

// All of them run the same command: what the first says of it is true of the others.
void Session::agent_failed(const std::string& name, base::Error why) {
    if (failed_agents_++ == 0) log::error(name, ": ", why.message);
    if (failed_agents_ < options_.agents) return;
    agents_failure_ = "none of its agents could execute its command";
    if (runner_) runner_->agents_failed(agents_failure_);
}

// One line for all agents when they begin to wait, and one when they serve a pool again, be it another's.
asio::awaitable<void> Session::await_pool(base::Error why) {
    if (!std::exchange(agents_wait_, true)) log::warn("the run's agents wait for the pool: ", why.message);
    asio::steady_timer pause(executor_);
    while (true) {
        pause.expires_after(agent_pause);
        co_await pause.async_wait(asio::use_awaitable);
        auto pool = co_await pool_client::wait_for_pool(directory_, agent_pause);
        if (pool.has_value()) break;
    }
    if (std::exchange(agents_wait_, false))
        log::info("the run's agents serve the pool at ", directory_.path, " now");
}

}  // namespace barnum
