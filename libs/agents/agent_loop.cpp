#include "agents/agent_loop.hpp"

#include "agents/absence.hpp"
#include "agents/agent_rest.hpp"
#include "agents/command_work.hpp"
#include "agents/parks.hpp"
#include "agents/program_work.hpp"
#include "agents/shell_work.hpp"
#include "agents/task_delivery.hpp"
#include "base/own_environment.hpp"
#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_client/agent.hpp"
#include "pool_client/pool_wait.hpp"
#include "pool_protocol/agent_label.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>

namespace agents {

namespace asio = boost::asio;
using pool_client::Assignment;
using pool_protocol::KickReason;
using pool_protocol::Release;

namespace {

base::Error drained() {
    return {boost::system::errc::make_error_code(boost::system::errc::operation_canceled), "drained"};
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts)
        all += base::concat(all.empty() ? "" : ", ", text);
    return all;
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
        : watch_(watch),
          directory_(std::move(directory)),
          options_(std::move(options)),
          account_(account_of(options_.group.settings, base::own_variable)) {}

    asio::awaitable<base::Error> run();

  private:
    asio::awaitable<base::Result<Assignment>> next_assignment();
    asio::awaitable<std::optional<base::Error>> do_task(const Assignment& assignment);
    asio::awaitable<WorkEnd> work(const Assignment& assignment) {
        if (is_program()) return run_program(watch_, directory_, options_, assignment);
        return options_.group.settings.kind == agent_driver::AgentKind::shell
                   ? run_shell(watch_, directory_, options_, assignment)
                   : run_command(watch_, directory_, options_, assignment);
    }
    asio::awaitable<std::optional<base::Error>> report(const Assignment& assignment, WorkEnd end);
    asio::awaitable<void> report_success(const Assignment& assignment, WorkEnd end);
    asio::awaitable<void> report_limit(const Assignment& assignment, const WorkEnd& end);
    asio::awaitable<void> report_failure(const Assignment& assignment, const WorkEnd& end);
    asio::awaitable<void> rest();
    asio::awaitable<void> await_account();
    base::Error unusable_agent(const std::string& why) const;
    bool is_program() const { return agent_driver::has_driver(options_.group.settings.kind); }
    bool is_draining() const { return options_.is_draining && options_.is_draining(); }
    void log_failure(const Release& release, const base::Result<void>& told) const;

    io::DirectoryWatch& watch_;
    pool_protocol::PoolDirectory directory_;
    AgentOptions options_;
    Account account_;
    Parks parks_;
    AgentRest rest_;
    AbsenceNotice due_;  // after the task
    bool has_served_ = false;
    bool has_succeeded_ = false;
};

asio::awaitable<base::Error> AgentLoop::run() {
    while (true) {
        if (is_program()) co_await await_account();
        auto assignment = co_await next_assignment();
        if (assignment.has_error()) co_return assignment.error();
        has_served_ = true;
        switch (assignment->kind) {
            case Assignment::Kind::kicked:
                if (assignment->reason != KickReason::stopped) break;
                if (options_.is_supervised) co_return pool_client::not_served(directory_);
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

// If the pool stops, get_task() waits for it as at the start, whether or not the agent was there to be told.
asio::awaitable<base::Result<Assignment>> AgentLoop::next_assignment() {
    if (options_.is_supervised) {
        auto served = pool_client::open_served_pool(directory_);
        if (served.has_error()) co_return served.error();
    } else if (has_served_) {
        auto served = co_await pool_client::wait_for_next_daemon(directory_, options_.name);
        bool has_stopped = served.has_error() && served.error().code == boost::system::errc::host_unreachable;
        if (served.has_error() && !has_stopped) co_return served.error();
    }
    pool_client::AgentTraits traits;
    traits.name = options_.name;
    traits.session =
        options_.session->id();  // also while it is not connected: it may be, by the end of the task
    traits.keeps_lock = true;
    traits.ends_when_told = options_.ends_when_told;
    traits.labels = agent_driver::offered_labels(options_.group);
    traits.wants_schema = is_program();
    traits.reports = is_program();
    traits.account = short_name(account_);
    auto assignment = co_await pool_client::get_task(watch_, directory_, std::move(traits),
                                                     pool_client::LargeContent::is_left);
    co_return assignment;
}

// The end of a task is always reported: an agent that is cancelled meanwhile ends afterwards, at the next
// co_await.
asio::awaitable<std::optional<base::Error>> AgentLoop::do_task(const Assignment& assignment) {
    io::log::debug(options_.name, ": task ", assignment.uuid);
    if (is_program() && parks_.current(account_)) {
        // Another agent of the account has reached the limit while this one waited for a task.
        co_await asio::this_coro::throw_if_cancelled(false);
        (void)co_await release_task(directory_, options_, assignment, hand_back("its account is parked"));
        co_await asio::this_coro::throw_if_cancelled(true);
        co_return std::nullopt;
    }
    if (options_.on_task) options_.on_task(true);
    due_ = AbsenceNotice();
    WorkEnd end = co_await work(assignment);
    co_await asio::this_coro::throw_if_cancelled(false);
    std::optional<base::Error> ended = co_await report(assignment, std::move(end));
    co_await asio::this_coro::throw_if_cancelled(true);
    if (options_.on_task) options_.on_task(false);
    if (!ended && !is_draining()) co_await rest();
    co_return ended;
}

asio::awaitable<std::optional<base::Error>> AgentLoop::report(const Assignment& assignment, WorkEnd end) {
    using Kind = WorkEnd::Kind;
    if (!end.denied.empty())
        io::log::warn(pool_protocol::agent_label(options_.name), " was denied: ", joined(end.denied),
                      "; see `permissions` and `allow_tools`");
    // A command that has worked before can be executed.
    if (end.kind == Kind::unusable && has_succeeded_ && !is_program()) end.kind = Kind::failed;
    const bool was_stopped = end.kick == KickReason::stopped;
    std::optional<base::Error> ended;
    if (end.kind == Kind::responded && end.kick && !pool_client::is_assigned(directory_, assignment)) {
        io::log::info(options_.name, ": its response came too late: the pool took the task back (",
                      end.kick->text(), ")");
    } else if (end.kind == Kind::responded) {
        if (!end.mistakes.empty())
            io::log::warn(options_.name, ": its answer is not valid, after ",
                          base::counted(static_cast<std::size_t>(end.report->repairs), "repair"), ": ",
                          end.mistakes);
        co_await report_success(assignment, std::move(end));
    } else if (end.kind == Kind::stopped || end.kind == Kind::unusable) {
        Release release = release_for(end);
        // The reason is reported once, by the process.
        if (end.kind == Kind::unusable && !is_program()) release.message = "its command can't be executed";
        (void)co_await release_task(directory_, options_, assignment, std::move(release));
        if (end.kind == Kind::unusable) ended = unusable_agent(end.message);
    } else if (end.kind == Kind::parked) {
        co_await report_limit(assignment, end);
    } else {
        co_await report_failure(assignment, end);
    }
    if (was_stopped) has_served_ = false;
    co_return ended;
}

base::Error AgentLoop::unusable_agent(const std::string& why) const {
    std::string_view kind = agent_driver::kind_name(options_.group.settings.kind);
    std::string_view reason = why;
    while (reason.ends_with('.'))
        reason.remove_suffix(1);
    std::string message =
        is_program() ? base::concat(kind, " cannot work: ", reason,
                                    "; check its login, credit, model and version: `troupe agent --kind ",
                                    kind, " --check` tries it")
                     : base::concat("the agents' command can't be executed: `",
                                    options_.group.settings.command, "`: ", why);
    return {boost::system::errc::make_error_code(agent_unusable), std::move(message)};
}

asio::awaitable<void> AgentLoop::report_success(const Assignment& assignment, WorkEnd end) {
    has_succeeded_ = true;
    rest_.succeeded();
    if (is_program()) parks_.succeeded(account_);
    bool is_delivered =
        co_await deliver(directory_, options_, assignment, std::move(end.response), std::move(end.report));
    if (is_delivered || !pool_client::is_assigned(directory_, assignment)) co_return;
    Release stopped = hand_back("the agent was stopped before it could write its response");
    (void)co_await release_task(directory_, options_, assignment, std::move(stopped));
}

// The account is parked first, so that no other agent of it gets the task.
asio::awaitable<void> AgentLoop::report_limit(const Assignment& assignment, const WorkEnd& end) {
    std::optional<Park::Time> until = end.until;
    if (!until && end.wait)
        until = std::chrono::ceil<std::chrono::seconds>(std::chrono::system_clock::now()) + *end.wait;
    Park park = parks_.park(options_.name, account_, end.message, until);
    io::log::warn(options_.name, ": ", to_string(park),
                  "; `troupe accounts resume` lets its agents try again at once");
    (void)co_await release_task(directory_, options_, assignment, release_for(end));
}

asio::awaitable<void> AgentLoop::report_failure(const Assignment& assignment, const WorkEnd& end) {
    Release release = release_for(end);
    base::Result<void> told = co_await release_task(directory_, options_, assignment, release);
    if (end.kick && end.kind != WorkEnd::Kind::timed_out)
        io::log::info(options_.name, ": the pool took the task back (", end.kick->text(),
                      "); its work was ended");
    else
        log_failure(release, told);
    due_.why = release.message;
    due_.is_its_own = release.reason == Release::Reason::handed_back;
    if (due_.is_its_own) due_.time = rest_.unavailable();
    if (release.reason == Release::Reason::failed) due_.time = rest_.failed();
}

asio::awaitable<void> AgentLoop::rest() {
    if (due_.time.count() == 0) co_return;
    Absence absence(options_, due_);
    asio::steady_timer pause(co_await asio::this_coro::executor, due_.time);
    co_await pause.async_wait(asio::use_awaitable);
}

asio::awaitable<void> AgentLoop::await_account() {
    auto park = parks_.current(account_);
    if (!park) co_return;
    if (!options_.on_absence) io::log::info(options_.name, " waits: ", to_string(*park));
    Absence absence(options_, notice_of(*park, std::chrono::system_clock::now()));
    co_await parks_.wait(watch_, account_);
}

// In a run that hosts the pool, the pool and the run have already reported it to the same log.
void AgentLoop::log_failure(const Release& release, const base::Result<void>& told) const {
    if (told.has_value() && options_.pool_reports_here && options_.pool_reports_here()) return;
    const bool is_handed_back = release.reason == Release::Reason::handed_back;
    std::string_view what = is_handed_back ? "the task is handed back" : "the task has failed";
    if (release.reason == Release::Reason::timeout) what = "the task's time is over, and its work was ended";
    std::string why = release.failure.empty() || is_handed_back ? "" : release.failure + ": ";
    if (!release.message.empty()) why += release.message + "\n";
    io::log::warn(options_.name, ": ", why, told.has_error() ? std::string_view(told.error().message) : what);
}

}  // namespace

asio::awaitable<base::Error> run_agent(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                                       AgentOptions options) {
    AgentLoop loop(watch, std::move(directory), std::move(options));
    base::Error ended = co_await loop.run();
    co_return ended;
}

}  // namespace agents
