#include "pool_client/agent_loop.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_client/agent.hpp"
#include "pool_client/agent_rest.hpp"
#include "pool_client/agent_task.hpp"
#include "pool_client/pool_wait.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>

namespace pool_client {

namespace asio = boost::asio;
using pool_protocol::KickReason;
using pool_protocol::Release;

namespace {

constexpr std::size_t reported_stderr = 2000;  // bytes that go to the submitter
constexpr int temporary_failure = 75;          // EX_TEMPFAIL of sysexits.h
constexpr std::chrono::hours as_long_as_it_takes{24 * 365};

std::string_view end_of_stderr(const process::ChildResult& result) {
    std::string_view tail = result.error_output;
    if (tail.size() > reported_stderr) tail.remove_prefix(tail.size() - reported_stderr);
    while (tail.ends_with('\n'))
        tail.remove_suffix(1);
    return tail;
}

std::string failure_text(const process::ChildResult& result) {
    std::string_view tail = end_of_stderr(result);
    std::string text =
        base::concat("the command ", describe(result), result.succeeded() ? " and wrote no response" : "");
    return tail.empty() ? text : base::concat(text, tail.find('\n') == tail.npos ? ": " : ":\n", tail);
}

bool exited_with(const process::ChildResult& result, int code) {
    return result.end == process::ChildResult::End::exited && result.code == code;
}

// The exit codes of a shell that can't find or execute a command.
bool is_unusable(const process::ChildResult& result) {
    return exited_with(result, 127) || exited_with(result, 126);
}

// Whether the failure is the agent's, not the task's.
bool is_unavailable(const process::ChildResult& result) {
    return exited_with(result, temporary_failure) || result.end == process::ChildResult::End::not_started;
}

bool has_timed_out(const CommandEnd& end) {
    return end.result.end == process::ChildResult::End::timed_out || end.kick == KickReason::timeout;
}

// Of a command that has failed or was ended.
Release release_for(const CommandEnd& end) {
    using End = process::ChildResult::End;
    const process::ChildResult& result = end.result;
    Release release;
    if (has_timed_out(end)) {
        release.reason = Release::Reason::timeout;
        release.message = end_of_stderr(result);
        return release;
    }
    if (end.kick && result.end == End::cancelled) {
        release.reason = Release::Reason::ended;
        return release;
    }
    release.message = failure_text(result);
    if (is_unavailable(result)) return release;
    release.reason = Release::Reason::failed;
    if (result.end == End::exited && result.code != 0) release.exit_code = result.code;
    if (result.end == End::signalled) release.signal = result.code;
    return release;
}

base::Error drained() {
    return {boost::system::errc::make_error_code(boost::system::errc::operation_canceled), "drained"};
}

Release hand_back(std::string why) {
    Release release;
    release.message = std::move(why);
    return release;
}

// One agent, task after task.
class AgentLoop {
  public:
    AgentLoop(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory, AgentOptions options)
        : watch_(watch), directory_(std::move(directory)), options_(std::move(options)) {}

    asio::awaitable<base::Error> run();

  private:
    asio::awaitable<base::Result<Assignment>> next_assignment();
    asio::awaitable<std::optional<base::Error>> do_task(const Assignment& assignment);
    asio::awaitable<std::optional<base::Error>> report(const Assignment& assignment, CommandEnd end);
    asio::awaitable<void> report_success(const Assignment& assignment, std::string response);
    asio::awaitable<void> report_failure(const Assignment& assignment, const CommandEnd& end);
    asio::awaitable<void> rest();
    bool is_draining() const { return options_.is_draining && options_.is_draining(); }
    void log_failure(const Release& release, const base::Result<void>& told) const;

    struct Rest {
        std::string why;
        AgentRest::Time time{0};
        bool is_its_own = false;  // the failure is the agent's, not the task's
    };

    io::DirectoryWatch& watch_;
    pool_protocol::PoolDirectory directory_;
    AgentOptions options_;
    AgentRest rest_;
    Rest due_;  // after the task
    bool has_served_ = false;
    bool has_succeeded_ = false;
};

asio::awaitable<base::Error> AgentLoop::run() {
    while (true) {
        auto assignment = co_await next_assignment();
        if (assignment.has_error()) co_return assignment.error();
        has_served_ = true;
        switch (assignment->kind) {
            case Assignment::Kind::kicked:
                if (assignment->reason != KickReason::stopped) break;
                if (options_.is_supervised) co_return not_served(directory_);
                has_served_ = false;
                break;
            case Assignment::Kind::heartbeat:
                co_await deliver(directory_, options_, *assignment, "{}");
                break;
            case Assignment::Kind::task:
                std::optional<base::Error> ended = co_await do_task(*assignment);
                if (ended) co_return std::move(*ended);
                if (is_draining()) co_return drained();
                break;
        }
    }
}

// If the pool is lost without a message, its daemon was killed and will be back. If the pool stops, it is
// waited for as at the start.
asio::awaitable<base::Result<Assignment>> AgentLoop::next_assignment() {
    if (options_.is_supervised || has_served_) {
        auto served = co_await wait_for_pool(directory_, std::chrono::milliseconds(0));
        bool waits = served.has_error() && !options_.is_supervised &&
                     served.error().code == boost::system::errc::host_unreachable;
        if (waits) {
            io::log::info(options_.name, ": nobody serves the pool in ", directory_.path, " now; waiting");
            served = co_await wait_for_pool(directory_, as_long_as_it_takes);
        }
        if (served.has_error()) co_return served.error();
    }
    AgentTraits traits;
    traits.name = options_.name;
    traits.session =
        options_.session->id();  // also while it is not connected: it may be, by the end of the task
    traits.keeps_lock = true;
    traits.ends_when_told = options_.ends_when_told;
    auto assignment = co_await get_task(watch_, directory_, std::move(traits), LargeContent::is_left);
    co_return assignment;
}

// The end of a task is always reported: an agent that is cancelled meanwhile ends afterwards, at the next
// co_await.
asio::awaitable<std::optional<base::Error>> AgentLoop::do_task(const Assignment& assignment) {
    io::log::debug(options_.name, ": task ", assignment.uuid);
    if (options_.on_task) options_.on_task(true);
    due_ = {};
    CommandEnd end = co_await run_command(watch_, directory_, options_, assignment);
    co_await asio::this_coro::throw_if_cancelled(false);
    std::optional<base::Error> ended = co_await report(assignment, std::move(end));
    co_await asio::this_coro::throw_if_cancelled(true);
    if (options_.on_task) options_.on_task(false);
    if (!ended && !is_draining()) co_await rest();
    co_return ended;
}

asio::awaitable<std::optional<base::Error>> AgentLoop::report(const Assignment& assignment, CommandEnd end) {
    const process::ChildResult& result = end.result;
    if (result.end == process::ChildResult::End::cancelled && !end.kick) {
        Release stopped = hand_back("the agent was stopped");
        (void)co_await let_go(directory_, options_, assignment, std::move(stopped));
    } else if (result.succeeded() && end.kick && !is_assigned(directory_, assignment)) {
        io::log::info(options_.name, ": its response came too late: the pool took the task back (",
                      end.kick->text(), ")");
    } else if (result.succeeded() && !result.output.empty()) {
        co_await report_success(assignment, std::move(end.result.output));
    } else if (is_unusable(result) && !has_succeeded_) {
        Release unusable = hand_back("its command can't be executed");
        (void)co_await let_go(directory_, options_, assignment, std::move(unusable));
        co_return base::Error{boost::system::errc::make_error_code(command_unusable),
                              base::concat("the agents' command can't be executed: `", options_.command,
                                           "`: ", failure_text(result))};
    } else {
        co_await report_failure(assignment, end);
    }
    if (end.kick == KickReason::stopped) has_served_ = false;
    co_return std::nullopt;
}

asio::awaitable<void> AgentLoop::report_success(const Assignment& assignment, std::string response) {
    has_succeeded_ = true;
    rest_.succeeded();
    bool is_delivered = co_await deliver(directory_, options_, assignment, std::move(response));
    if (is_delivered || !is_assigned(directory_, assignment)) co_return;
    Release stopped = hand_back("the agent was stopped before it could write its response");
    (void)co_await let_go(directory_, options_, assignment, std::move(stopped));
}

asio::awaitable<void> AgentLoop::report_failure(const Assignment& assignment, const CommandEnd& end) {
    Release release = release_for(end);
    base::Result<void> told = co_await let_go(directory_, options_, assignment, release);
    if (end.kick && !has_timed_out(end))
        io::log::info(options_.name, ": the pool took the task back (", end.kick->text(),
                      "); its command was ended");
    else
        log_failure(release, told);
    due_.why = release.message;
    due_.is_its_own = release.reason == Release::Reason::handed_back;
    if (due_.is_its_own) due_.time = rest_.unavailable();
    if (release.reason == Release::Reason::failed) due_.time = rest_.failed();
}

asio::awaitable<void> AgentLoop::rest() {
    if (due_.time.count() == 0) co_return;
    if (options_.on_rest) options_.on_rest(due_.why, due_.time, due_.is_its_own);
    asio::steady_timer pause(co_await asio::this_coro::executor, due_.time);
    co_await pause.async_wait(asio::use_awaitable);
    if (options_.on_return) options_.on_return();
}

// In a run that hosts the pool, the pool and the run have already reported it to the same log.
void AgentLoop::log_failure(const Release& release, const base::Result<void>& told) const {
    if (told.has_value() && options_.pool_reports_here && options_.pool_reports_here()) return;
    std::string_view what =
        release.reason == Release::Reason::handed_back ? "the task is handed back" : "the task has failed";
    if (release.reason == Release::Reason::timeout)
        what = "the task's time is over, and its command was ended";
    std::string why = release.message.empty() ? "" : release.message + "\n";
    io::log::warn(options_.name, ": ", why, told.has_error() ? std::string_view(told.error().message) : what);
}

}  // namespace

asio::awaitable<base::Error> run_agent(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                                       AgentOptions options) {
    AgentLoop loop(watch, std::move(directory), std::move(options));
    base::Error ended = co_await loop.run();
    co_return ended;
}

}  // namespace pool_client
