#include "pool_daemon/daemon.hpp"

#include "base/text.hpp"
#include "io/local_socket.hpp"
#include "io/log.hpp"
#include "pool/machine.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_daemon/alarms.hpp"
#include "pool_daemon/inbox.hpp"
#include "pool_daemon/leases.hpp"
#include "pool_daemon/listener.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/recovery.hpp"
#include "pool_daemon/repair.hpp"
#include "pool_daemon/status.hpp"
#include "pool_daemon/submissions.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <deque>

namespace pool_daemon {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kick_wait{500};    // for agents to read that they were kicked
constexpr std::chrono::milliseconds flush_wait{1500};  // for submitters to read `stopped`
constexpr std::chrono::milliseconds stop_step{20};
constexpr std::chrono::seconds agents_wait{5};  // before it is said that there are none
// The same since the last one was there. One whose command fails rests for up to half of it.
constexpr std::chrono::seconds agents_rest{10};

pool::Config pool_config(const Options& options) {
    pool::Config config;
    if (options.heartbeats) config.idle_timeout = options.idle_timeout;
    if (options.task_timeout.count() > 0) config.task_timeout = options.task_timeout;
    return config;
}

std::string_view reason_text(pool::KickReason reason) {
    return reason == pool::KickReason::timeout ? "Timeout" : "Stopped";
}

}  // namespace

// The pool's state between what it hears from (Inbox, Listener) and what it acts through (Agents,
// Submissions).
class Daemon::Impl {
  public:
    Impl(asio::any_io_executor executor, io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
         PoolFiles files, io::UniqueFd socket, Options options);

    base::Result<void> start();
    asio::awaitable<void> until_stop_requested();
    void request_stop();
    void request_drain();
    void end_service();
    std::string state() const { return summary(state_, agents_); }
    pool::Load load() const;
    asio::awaitable<void> stop();

  private:
    base::Result<void> recover();
    void feed(pool::Event event);
    void agent_left(const pool::AgentId& id);
    void arm_deadline();
    base::Result<void> make_what_is_missing();
    bool lacks_agents() const;
    void watch_for_agents();

    pool_protocol::Lease lease_for(const pool::Assign& action) const;
    void perform(const pool::Assign& action);
    void perform(const pool::SendHeartbeat& action);
    void perform(const pool::Kick& action) { agents_.kick(action.agent, reason_text(action.reason)); }
    void perform(const pool::Deliver& action);
    void perform(const pool::Refuse& action);
    void perform(const pool::Forget& action) { agents_.forget(action.agent); }
    void perform(const pool::DiscardResponse& action) { agents_.discard_response(action.agent); }
    void handed_over(Agents::Handover handover, const pool::AgentId& agent);

    Agents::Callbacks agent_callbacks();
    Submissions::Callbacks submission_callbacks();
    io::FramedSocket::Callbacks connection_callbacks();
    void tell_status(io::FramedSocket& connection, const std::optional<std::string>& id);

    pool_protocol::PoolDirectory directory_;
    Clock::time_point started_ = Clock::now();
    std::uint64_t bad_frames_ = 0;
    PoolFiles files_;
    pool::State state_;
    Leases leases_;
    Alarms alarms_;
    Agents agents_;
    Submissions submissions_;
    std::size_t max_message_bytes_;
    Inbox inbox_;
    Repair repair_;
    asio::steady_timer deadline_;
    std::optional<pool::Time> armed_for_;
    asio::steady_timer service_ended_timer_;
    std::deque<pool::Event> events_;
    bool feeding_ = false;
    bool watching_for_agents_ = false;
    bool lack_told_ = false;  // and no agent has answered anything since
    std::optional<Clock::time_point> agent_seen_;
    bool is_hosted_ = false;
    bool service_ended_ = false;  // by a request, or by the end of a drain
    bool has_drained_ = false;    // and nobody asked for more haste
    bool stopped_ = false;
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // a deadline that has come can't be cancelled
    Listener listener_;  // goes first: it tells of each connection that it closes
};

Daemon::Impl::Impl(asio::any_io_executor executor, io::DirectoryWatch& watch,
                   pool_protocol::PoolDirectory directory, PoolFiles files, io::UniqueFd socket,
                   Options options)
    : directory_(std::move(directory)),
      files_(std::move(files)),
      leases_(files_),
      alarms_(executor),
      agents_(files_, leases_, alarms_, options.max_message_bytes, agent_callbacks()),
      submissions_(files_, alarms_, options.max_message_bytes, submission_callbacks()),
      max_message_bytes_(options.max_message_bytes),
      inbox_(watch, files_, alarms_, agents_, submissions_,
             {[this] { request_stop(); }, [this] { request_drain(); },
              [this] { repair_.begin(files_.pool.path()); }}),
      repair_(alarms_, [this] { return make_what_is_missing(); }),
      deadline_(executor),
      service_ended_timer_(executor, Clock::time_point::max()),
      listener_(executor, std::move(socket), options.max_message_bytes, connection_callbacks()) {
    state_.config = pool_config(options);
    is_hosted_ = options.is_hosted;
}

Agents::Callbacks Daemon::Impl::agent_callbacks() {
    return {[this](const std::string& id) { feed(pool::AgentReady{id}); },
            [this](const std::string& id) { agent_left(id); },
            [this](const std::string& id) {
                lack_told_ = false;
                feed(pool::AgentResponded{id});
            }};
}

Submissions::Callbacks Daemon::Impl::submission_callbacks() {
    return {[this](const std::string& id, const std::string& content) {
                io::log::debug("submission ", id, " is queued");
                feed(pool::Submitted{id, pool_protocol::content_timeout(content)});
            },
            [this](const std::string& id) {
                auto found = state_.submissions.find(id);
                if (found != state_.submissions.end() && found->second.agent)
                    leases_.disown(*found->second.agent);
                feed(pool::Withdrawn{id});
            }};
}

io::FramedSocket::Callbacks Daemon::Impl::connection_callbacks() {
    return {
        [this](const std::shared_ptr<io::FramedSocket>& connection, std::string frame) {
            if (auto asked = pool_protocol::parse_status_request(frame))
                return tell_status(*connection, asked->id);
            inbox_.stir();
            submissions_.from_socket(connection, frame);
        },
        [this](const std::shared_ptr<io::FramedSocket>& connection, std::string problem) {
            io::log::warn("refused a submission: ", problem);
            ++bad_frames_;
            connection->send(to_json(pool_protocol::Answer::invalid(std::move(problem))));
        },
        [this](const std::shared_ptr<io::FramedSocket>& connection, io::FramedSocket::Payloads undelivered) {
            submissions_.connection_gone(connection, std::move(undelivered));
        }};
}

void Daemon::Impl::tell_status(io::FramedSocket& connection, const std::optional<std::string>& id) {
    connection.owe();
    StatusFacts facts{directory_, started_, submissions_.refused() + bad_frames_};
    connection.send(
        to_json(describe(state_, agents_, facts, Clock::now(), std::chrono::system_clock::now()), id));
}

base::Result<void> Daemon::Impl::start() {
    if (auto watched = inbox_.watch(); watched.has_error()) return watched.error();
    if (auto recovered = recover(); recovered.has_error()) return recovered.error();
    inbox_.scan();
    listener_.start();
    return files_.announce();
}

base::Result<void> Daemon::Impl::recover() {
    Recovery recovery(files_, leases_, agents_, submissions_, state_.config, max_message_bytes_);
    auto at_work = recovery.run();
    if (at_work.has_error()) return at_work.error();
    for (pool::Recovered& agent : *at_work)
        feed(std::move(agent));
    return {};
}

// What it hands back is for another agent, unless nobody knows it any more: a task from before this daemon's
// start, whose agent took the file away and whose submitter hasn't asked again.
void Daemon::Impl::agent_left(const pool::AgentId& id) {
    auto found = state_.agents.find(id);
    if (found != state_.agents.end() && found->second.submission) {
        pool::SubmissionId submission = *found->second.submission;
        if (submissions_.content(submission) == nullptr) submissions_.drop(submission);
        submissions_.set_trouble(submission, agents_.trouble(id));
    }
    feed(pool::AgentLeft{id});
}

// Carrying out an action may show another event (an agent that turns out to be dead): it waits its turn.
void Daemon::Impl::feed(pool::Event event) {
    if (!state_.agents.empty()) agent_seen_ = Clock::now();
    events_.push_back(std::move(event));
    if (feeding_) return;
    feeding_ = true;
    while (!events_.empty()) {
        pool::Event next = std::move(events_.front());
        events_.pop_front();
        for (const pool::Action& action : pool::apply(state_, next, Clock::now()))
            std::visit([this](const auto& a) { perform(a); }, action);
    }
    feeding_ = false;
    arm_deadline();
    watch_for_agents();
    if (pool::is_drained(state_) && !service_ended_) {
        has_drained_ = true;
        end_service();
    }
}

base::Result<void> Daemon::Impl::make_what_is_missing() {
    if (auto made = files_.make_directories(); made.has_error()) return made;
    inbox_.stop();
    if (auto watched = inbox_.watch(); watched.has_error()) return watched;
    if (auto written = leases_.write_again(); written.has_error()) return written;
    if (!files_.pool.contains(pool_protocol::status_name))
        if (auto announced = files_.announce(); announced.has_error()) return announced;
    inbox_.scan();
    return {};
}

bool Daemon::Impl::lacks_agents() const {
    return !state_.queue.empty() && state_.agents.empty();
}

// Tasks that nobody is there to take would wait in silence.
void Daemon::Impl::watch_for_agents() {
    if (lack_told_ || !lacks_agents() || std::exchange(watching_for_agents_, true)) return;
    alarms_.after(agents_wait, [this] {
        watching_for_agents_ = false;
        if (!lacks_agents() || lack_told_) return;
        if (agent_seen_ && Clock::now() - *agent_seen_ < agents_rest) return watch_for_agents();
        lack_told_ = true;
        io::log::warn(base::counted(state_.queue.size(), "task"),
                      " waiting, and no agent is attached to the pool in ", files_.pool.path(),
                      "; attach one with `troupe agent ", pool_protocol::options_of(directory_),
                      " --exec CMD`");
    });
}

void Daemon::Impl::arm_deadline() {
    auto next = pool::next_deadline(state_);
    if (next == armed_for_) return;
    armed_for_ = next;
    deadline_.cancel();
    if (!next) return;
    deadline_.expires_at(*next);
    deadline_.async_wait([this, alive = std::weak_ptr(alive_)](error_code ec) {
        if (ec || alive.expired()) return;
        armed_for_.reset();
        feed(pool::TimePassed{});
    });
}

pool_protocol::Lease Daemon::Impl::lease_for(const pool::Assign& action) const {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    pool_protocol::Lease lease;
    lease.agent = action.agent;
    if (pool_protocol::is_id(action.submission)) lease.submission = action.submission;
    lease.by_file = submissions_.is_only_by_file(action.submission);
    lease.assigned = duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch());
    if (action.timeout) lease.timeout = duration_cast<milliseconds>(*action.timeout);
    return lease;
}

void Daemon::Impl::perform(const pool::Assign& action) {
    const std::string* content = submissions_.content(action.submission);
    io::log::debug("submission ", action.submission, " to ",
                   [&] { return agents_.display_name(action.agent); });
    handed_over(agents_.assign(lease_for(action), *content), action.agent);
}

void Daemon::Impl::perform(const pool::SendHeartbeat& action) {
    handed_over(agents_.send_heartbeat(action.agent), action.agent);
}

void Daemon::Impl::handed_over(Agents::Handover handover, const pool::AgentId& agent) {
    if (handover == Agents::Handover::agent_is_dead) feed(pool::AgentLeft{agent, true});
    if (handover == Agents::Handover::failed) feed(pool::AssignmentFailed{agent});
}

void Daemon::Impl::perform(const pool::Deliver& action) {
    io::log::debug("submission ", action.submission, " is done by ",
                   [&] { return agents_.display_name(action.agent); });
    submissions_.finish(action.submission,
                        pool_protocol::Answer::processed(agents_.take_response(action.agent),
                                                         agents_.name_or_id(action.agent)));
}

void Daemon::Impl::perform(const pool::Refuse& action) {
    bool timeout = action.reason == pool::KickReason::timeout;
    if (!timeout) return submissions_.finish(action.submission, pool_protocol::Answer::stopped());
    std::string told = base::concat("submission ", action.submission, " was not done within its timeout");
    if (is_hosted_)
        io::log::debug(told);
    else
        io::log::warn(told);
    pool_protocol::Answer answer = pool_protocol::Answer::timeout();
    if (action.agent)
        answer =
            pool_protocol::Answer::timeout(agents_.name_or_id(*action.agent), agents_.trouble(*action.agent));
    submissions_.finish(action.submission, std::move(answer));
}

pool::Load Daemon::Impl::load() const {
    pool::Load load = pool::load(state_);
    load.busy -= std::min(load.busy, agents_.given_up());
    return load;
}

void Daemon::Impl::end_service() {
    service_ended_ = true;
    service_ended_timer_.cancel();
}

void Daemon::Impl::request_stop() {
    has_drained_ = false;  // in haste after all
    end_service();
}

void Daemon::Impl::request_drain() {
    if (state_.closing) return;
    feed(pool::Draining{});
    io::log::info("draining: ", base::counted(state_.submissions.size(), "task"), " with agents");
}

asio::awaitable<void> Daemon::Impl::until_stop_requested() {
    error_code ignored;
    while (!service_ended_)
        co_await service_ended_timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<void> Daemon::Impl::stop() {
    if (std::exchange(stopped_, true)) co_return;
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    repair_.end();
    listener_.stop_accepting();
    files_.retire();
    feed(pool::Stopping{});
    auto begun = Clock::now();
    asio::steady_timer step(co_await asio::this_coro::executor);
    // After a drain who is slow to take an answer has the time that it always has (R7).
    while ((agents_.kicks_pending() && Clock::now() < begun + kick_wait) ||
           (listener_.has_output() && (has_drained_ || Clock::now() < begun + flush_wait))) {
        step.expires_after(stop_step);
        co_await step.async_wait(asio::use_awaitable);
    }
    inbox_.stop();
    agents_.finish_kicks();
    submissions_.finish_held();
    files_.forget_leases();
    alarms_.cancel();
    listener_.close_all();
    deadline_.cancel();
    // What has come to its end already can't be cancelled: it is told of while there is somebody to tell.
    co_await asio::post(asio::use_awaitable);
}

Daemon::Daemon(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Daemon::~Daemon() = default;

base::Result<std::unique_ptr<Daemon>> Daemon::start(asio::any_io_executor executor, io::DirectoryWatch& watch,
                                                    pool_protocol::PoolDirectory directory, Options options,
                                                    io::UniqueFd inherited) {
    auto files = PoolFiles::claim(directory, static_cast<bool>(inherited));
    if (files.has_error()) return files.error();
    base::Result<io::UniqueFd> socket = std::move(inherited);
    if (!*socket) socket = io::listen_local(files->pool, pool_protocol::socket_name);
    if (socket.has_error()) return socket.error();
    auto impl = std::make_shared<Impl>(executor, watch, std::move(directory), std::move(*files),
                                       std::move(*socket), options);
    if (auto started = impl->start(); started.has_error()) return started.error();
    return std::unique_ptr<Daemon>(new Daemon(std::move(impl)));
}

asio::awaitable<void> Daemon::until_stop_requested() {
    return impl_->until_stop_requested();
}
void Daemon::request_stop() {
    impl_->request_stop();
}
void Daemon::request_drain() {
    impl_->request_drain();
}
asio::awaitable<void> Daemon::stop() {
    return impl_->stop();
}
std::string Daemon::state() const {
    return impl_->state();
}

pool::Load Daemon::load() const {
    return impl_->load();
}

bool is_served(const pool_protocol::PoolDirectory& directory) {
    return io::connect_local(directory.path, pool_protocol::socket_name).has_value();
}

}  // namespace pool_daemon
