#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "commands/pool/stop_pool.hpp"
#include "context.hpp"
#include "io/directory.hpp"
#include "io/file_lock.hpp"
#include "io/log.hpp"
#include "pool_client/pool_end.hpp"
#include "pool_client/status_query.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_protocol/daemon_end.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/unix_time.hpp"
#include "pool_view/draining.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

namespace troupe {

namespace asio = boost::asio;

namespace {

using Clock = std::chrono::steady_clock;
using pool_client::lock_text;
using pool_protocol::DaemonEnd;

constexpr const char* stop_details = R"(Examples:
  troupe stop --pool reviews
  troupe stop --pool reviews --drain

With --drain, no more tasks are assigned: queued and new submissions are answered with `stopped` at once. Agents finish
their current tasks within the timeouts of these, and their submitters get the answers: with an engine, the daemon waits
until that has them, and answers those whose tasks the engine has with `stopped` at the end. Then it ends and tells the
agents that the pool stops. `troupe stop` without --drain ends the daemon at once, even while it drains.

Of a pool over many hosts, this stops the part of this host only. If answers of its agents have not got to the engine,
the host keeps them, and the command says so: start the pool here again soon.

The command waits for the end of the daemon: up to 10 s; with --drain, without a limit, and says what the daemon waits
for. Ctrl-C ends the waiting, not the draining.

Exit codes: 0 the daemon has stopped, with --drain: after it had drained; 1 no daemon was running, it does not stop,
another one serves the pool already, or, with --drain, it ended before it had drained; 2 the command line is invalid;
130 Ctrl-C.
)";

constexpr std::chrono::seconds stop_wait{10};
constexpr std::chrono::milliseconds first_look_again{20};
constexpr std::chrono::milliseconds longest_look_again{500};
constexpr std::chrono::seconds look_interval{2};
constexpr std::chrono::seconds status_wait{2};

base::Error not_running(const pool_protocol::PoolDirectory& directory) {
    return {boost::system::errc::make_error_code(boost::system::errc::no_such_process),
            base::concat("no daemon serves the pool in ", directory.path, "; `troupe list` lists the pools")};
}

// A socket of systemd's accepts connections also when there is no daemon; but `status` is there only with
// one.
bool is_running(const io::Directory& pool, const pool_protocol::PoolDirectory& directory) {
    return (pool_daemon::is_served(directory) && pool.contains(pool_protocol::status_name)) ||
           io::is_locked(pool, pool_protocol::lock_name).value_or(false);
}

base::Error ended_otherwise(std::string why) {
    return {boost::system::errc::make_error_code(boost::system::errc::operation_canceled), std::move(why)};
}

// Looks now and then after a daemon that drains, and tells on stderr what it waits for, when that changes.
class DrainWatch {
  public:
    explicit DrainWatch(const pool_protocol::PoolDirectory& directory) : directory_(directory) {}

    // False if the pool is served by another daemon than at the first look.
    asio::awaitable<bool> look_if_due() {
        if (Clock::now() < due_) co_return true;
        auto answer =
            co_await pool_client::ask_status(directory_, status_wait, pool_client::AskedHosts::this_one);
        due_ = Clock::now() + look_interval;
        if (answer.has_error()) co_return true;
        auto status = pool_protocol::parse_status(*answer);
        if (status.has_error()) co_return true;
        if (!started_) started_ = status->started;
        if (*started_ != status->started) co_return false;
        if (status->draining) tell(pool_view::draining_text(*status));
        co_return true;
    }

  private:
    void tell(const std::string& text) {
        if (std::exchange(told_, text) == text) return;
        std::cerr << "pool " << directory_.pool << " is draining: " << text << "\n";
    }

    pool_protocol::PoolDirectory directory_;
    std::optional<pool_protocol::UnixTime> started_;
    Clock::time_point due_ = Clock::now() + look_interval;
    std::string told_;
};

// What is left of a daemon that has ended.
struct Ended {
    std::optional<DaemonEnd> noted;  // nothing if it was killed, or is of a version that does not note it
    bool has_died = false;           // it has not come to its end
    bool is_replaced = false;        // another daemon serves the pool: how this one has ended is not known
};

bool is_pid(const std::string& text) {
    return !text.empty() && !pool_protocol::parse_daemon_end(text);
}

// A daemon that has just begun may have been asked before it had written its pid.
bool is_of_another(const std::string& text, const std::string& lock_before) {
    return is_pid(text) && is_pid(lock_before) && text != lock_before;
}

Ended look_at_end(const io::Directory& pool, const std::string& lock_before) {
    std::string text = lock_text(pool);
    Ended ended;
    ended.noted = pool_protocol::parse_daemon_end(text);
    ended.is_replaced = is_of_another(text, lock_before);
    ended.has_died = !ended.noted && !ended.is_replaced && pool.contains(pool_protocol::status_name);
    return ended;
}

base::Result<void> check(const Ended& ended, const pool_protocol::PoolDirectory& directory, bool drains) {
    std::string daemon = "the daemon of " + directory.path;
    if (ended.is_replaced)
        return ended_otherwise(
            daemon + " has ended, and another one serves the pool now" +
            (drains ? ", which does not drain; the log says whether the first had drained" : ""));
    if (!drains) return {};
    if (ended.has_died) return ended_otherwise(daemon + " died before it had drained");
    if (ended.noted && !ended.noted->has_drained)
        return ended_otherwise(daemon + " was stopped before it had drained");
    return {};
}

// The word goes into the file in place, not by renaming: a published daemon watches the file itself. False if
// there is no file: the daemon is stopping, or creates it again in a moment.
base::Result<bool> tell_daemon(const io::Directory& pool, const char* word) {
    auto written = pool.overwrite(pool_protocol::status_name, word);
    if (written.has_value()) return true;
    if (written.error().code == boost::system::errc::no_such_file_or_directory) return false;
    return written.error();
}

asio::awaitable<base::Result<Ended>> end_pool(pool_protocol::PoolDirectory directory, bool drains) {
    auto pool = io::Directory::open(directory.path);
    if (pool.has_error() && pool.error().code == boost::system::errc::no_such_file_or_directory)
        co_return not_running(directory);
    if (pool.has_error()) co_return pool.error();
    if (!is_running(*pool, directory)) co_return not_running(directory);
    const std::string lock_before = lock_text(*pool);
    const char* word = drains ? pool_protocol::drain_word : pool_protocol::stop_word;
    auto told = tell_daemon(*pool, word);
    if (told.has_error()) co_return told.error();
    const Clock::time_point deadline = Clock::now() + stop_wait;
    DrainWatch watch(directory);
    asio::steady_timer timer(co_await asio::this_coro::executor);
    std::chrono::milliseconds pause = first_look_again;
    while (is_running(*pool, directory)) {
        if (is_of_another(lock_text(*pool), lock_before)) break;
        if (!*told) told = tell_daemon(*pool, word);
        if (told.has_error()) co_return told.error();
        if (drains && !co_await watch.look_if_due()) co_return Ended{.noted = {}, .is_replaced = true};
        if (!drains && Clock::now() >= deadline)
            co_return base::Error{
                boost::system::errc::make_error_code(boost::system::errc::timed_out),
                base::concat("the daemon of ", directory.path, " has not stopped after 10 s")};
        timer.expires_after(pause);
        co_await timer.async_wait(asio::use_awaitable);
        pause = std::min(pause * 5 / 4, longest_look_again);
    }
    co_return look_at_end(*pool, lock_before);
}

}  // namespace

asio::awaitable<base::Result<void>> stop_pool(pool_protocol::PoolDirectory directory) {
    auto ended = co_await end_pool(std::move(directory), false);
    if (ended.has_error()) co_return ended.error();
    co_return base::Result<void>();
}

namespace {

asio::awaitable<int> run(pool_protocol::PoolDirectory directory, bool drain) {
    auto ended = co_await end_pool(directory, drain);
    if (ended.has_error()) co_return fail(ended.error());
    if (ended->noted && ended->noted->kept_answers > 0)
        io::log::warn(pool_protocol::kept_answers_warning(ended->noted->kept_answers));
    if (auto checked = check(*ended, directory, drain); checked.has_error()) co_return fail(checked.error());
    std::cerr << "stopped pool " << directory.pool << "\n";
    co_return base::ExitCode::ok;
}

}  // namespace

cli::Command stop_command() {
    cli::Command command;
    command.name = "stop";
    command.summary = "Stop the daemon of a pool; all submissions are answered with `stopped`.";
    command.details = stop_details;
    const cli::Option draining{"drain", cli::none(), "let agents finish their current tasks, then stop"};
    command.options = {pool_option(PoolChoice::served), draining};
    command.run = [=](const cli::Options& options) {
        auto directory = pool_of(options);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        bool drain = cli::is_given(draining, options);
        return run_loop([=](asio::io_context&) { return run(*directory, drain); });
    };
    return command;
}

}  // namespace troupe
