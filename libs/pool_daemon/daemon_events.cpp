#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_daemon/daemon_impl.hpp"
#include "pool_protocol/names.hpp"

#include <vector>

namespace pool_daemon {

using boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

// Why an agent could not do its task; empty if that says nothing about the task, as when the agent was
// stopped.
std::string reason_of(const pool_protocol::Release& release) {
    if (!release.failure.empty()) return release.failure;
    return release.exit_code ? release.message : "";
}

}  // namespace

AgentSessions::Callbacks Daemon::Impl::session_callbacks() {
    return {[this](const std::string& session, const pool_protocol::AgentRelease& release) {
                agents_.released(session, release);
            },
            [this](const std::string& session, const pool_protocol::ActivityNotice& notice) {
                agents_.activity_told(session, notice);
            },
            [this](const std::string& session, pool_protocol::AgentAway away) {
                away_.add(session, std::move(away));
            },
            [this](const std::string& session, const pool_protocol::AgentBack& back) {
                away_.remove(session, back.name);
            },
            [this](const std::string& session) {
                away_.end(session);
                agents_.session_begun(session);
            },
            [this](const std::string& session) {
                away_.end(session);
                agents_.session_ended(session);
            }};
}

Agents::Callbacks Daemon::Impl::agent_callbacks() {
    Agents::Callbacks callbacks;
    callbacks.on_ready = [this](const pool::AgentId& id, const pool_protocol::Ready& ready) {
        feed(pool::AgentReady{id, ready.ends_when_told, ready.labels, ready.account});
    };
    callbacks.on_left = [this](const pool::AgentId& id) { agent_left(id); };
    callbacks.on_died = [this](const pool::AgentId& id) {
        note_last_error(id);
        edge_link_.release_unknown(id, {.deaths = 1});
        feed(pool::AgentDied{id});
    };
    callbacks.on_release = [this](const pool::AgentId& id, pool_protocol::Release::Reason reason) {
        agent_released(id, reason);
    };
    callbacks.on_response = [this](const pool::AgentId& id) {
        missing_agents_.agent_responded();
        feed(pool::AgentResponded{id});
    };
    callbacks.on_activity = [this](const pool::AgentId& id) { tell_activity(id, false); };
    callbacks.on_rejected = [this](const pool::AgentId& id) { feed(pool::ResponseRejected{id}); };
    return callbacks;
}

Submissions::Callbacks Daemon::Impl::submission_callbacks() {
    return {[this](const pool::SubmissionId& id, const std::string& content, const Submissions::Needs& needs,
                   bool wants_failures) {
                io::log::debug("submission ", id, " is queued");
                if (edge_ && state_.closing) return submissions_.answer(id, pool_protocol::Stopped{});
                if (edge_) {
                    edge_->submitted(id, {needs.labels, needs.priority});
                    return missing_agents_.watch_all_hosts();
                }
                feed(pool::Submitted{id, pool_protocol::content_timeout(content), wants_failures,
                                     needs.labels, needs.priority});
            },
            [this](const pool::SubmissionId& id) {
                if (!edge_) feed(pool::Submitted{id, std::nullopt, true});
            },
            [this](const pool::SubmissionId& id) {
                auto found = state_.submissions.find(id);
                bool is_local = found != state_.submissions.end() && !edge_link_.is_of_engine(id);
                if (edge_ && !is_local) return edge_->withdrawn(id);
                if (found != state_.submissions.end() && found->second.agent)
                    leases_.mark_withdrawn(*found->second.agent);
                feed(pool::Withdrawn{id});
            }};
}

io::FramedSocket::Callbacks Daemon::Impl::connection_callbacks() {
    return {
        [this](const std::shared_ptr<io::FramedSocket>& connection, std::string frame) {
            if (auto asked = pool_protocol::parse_status_request(frame))
                return report_status(connection, *asked);
            if (auto agent = pool_protocol::parse_kick_request(frame)) {
                connection->expect_reply();
                return connection->send(kick_answer(kick_all(*agent)));
            }
            if (auto asked = pool_protocol::parse_queue_request(frame)) {
                connection->expect_reply();
                return connection->send(queue_answer(*asked));
            }
            inbox_.schedule_rescan();
            if (!sessions_.take_frame(connection, frame)) submissions_.frame_received(connection, frame);
        },
        [this](const std::shared_ptr<io::FramedSocket>& connection, std::string problem) {
            io::log::warn("refused a submission: ", problem);
            ++bad_frames_;
            connection->send(to_json(pool_protocol::Invalid{std::move(problem)}));
        },
        [this](const std::shared_ptr<io::FramedSocket>& connection, io::FramedSocket::Payloads undelivered) {
            sessions_.connection_gone(connection);
            submissions_.connection_gone(connection, std::move(undelivered));
        }};
}

void Daemon::Impl::tell_activity(const pool::AgentId& id, bool is_over) {
    auto found = state_.agents.find(id);
    if (found == state_.agents.end() || !found->second.submission) return;
    const pool::SubmissionId& submission = *found->second.submission;
    bool is_elsewhere = edge_link_.is_of_engine(submission) && !edge_->has_submission(submission);
    if (!is_elsewhere && !submissions_.tells_activity()) return;
    pool_protocol::TaskActivity task{submission.text(), agents_.name_or_id(id), std::nullopt};
    if (!is_over)
        task.activity = agents_.activity(id);
    else if (auto report = agents_.last_report(id))
        task.used = used_in(*report);
    if (is_elsewhere)
        edge_->tell_activity(submission, to_json(task), is_over);
    else
        submissions_.tell_activity(task);
}

// A task that is handed back goes to another agent, unless its content is lost: it was submitted before this
// daemon's start, its agent took the file, and its submitter has not asked again.
void Daemon::Impl::note_last_error(const pool::AgentId& id) {
    auto found = state_.agents.find(id);
    if (found == state_.agents.end() || !found->second.submission) return;
    pool::SubmissionId submission = *found->second.submission;
    auto report = agents_.last_report(id);
    if (report) tell_activity(id, true);
    if (edge_link_.is_of_engine(submission)) {
        if (report) edge_link_.note_report(submission, std::move(*report));
        return;
    }
    if (submissions_.content(submission) == nullptr) submissions_.give_up(submission);
    submissions_.set_last_error(submission, agents_.last_error(id));
    if (report) submissions_.add_spent(submission, std::move(*report));
}

void Daemon::Impl::agent_left(const pool::AgentId& id) {
    note_last_error(id);
    edge_link_.release_unknown(id);
    feed(pool::AgentLeft{id, false, reason_of(agents_.release(id))});
}

bool Daemon::Impl::tells_failure(const pool::AgentId& id) const {
    auto found = state_.agents.find(id);
    return found != state_.agents.end() && found->second.submission &&
           state_.submissions.at(*found->second.submission).wants_failures;
}

void Daemon::Impl::agent_released(const pool::AgentId& id, pool_protocol::Release::Reason reason) {
    using Reason = pool_protocol::Release::Reason;
    if (reason != Reason::failed && reason != Reason::timeout) return agent_left(id);
    note_last_error(id);
    if (reason == Reason::timeout) return feed(pool::AgentTimedOut{id});
    if (!tells_failure(id)) edge_link_.release_unknown(id, {.failures = 1});
    feed(pool::AgentFailed{id});
}

// Carrying out an action may cause another event (for example, an agent turns out to be dead), which is
// queued.
void Daemon::Impl::feed(pool::Event event) {
    missing_agents_.before_event();
    events_.push_back(std::move(event));
    if (feeding_) return;
    feeding_ = true;
    // The edge is to see the pool only when all events are over.
    auto held = edge_ ? std::optional(edge_->hold()) : std::nullopt;
    while (!events_.empty()) {
        pool::Event next = std::move(events_.front());
        events_.pop_front();
        for (const pool::Action& action : pool::apply(state_, next, pool_now()))
            std::visit([this](const auto& a) { perform(a); }, action);
    }
    feeding_ = false;
    if (edge_) edge_link_.pool_changed();
    arm_deadline();
    total_.changed();
    missing_agents_.after_event();
    if (!pool::is_drained(state_)) return;
    if (!edge_) return end_if_drained();
    timers_.after(std::chrono::milliseconds(0),
                  [this] { end_if_drained(); });  // the edge gets the answers first
}

// Suspensions are measured by ticks, which an idle pool does not need.
void Daemon::Impl::arm_deadline() {
    auto next = pool::next_deadline(state_);
    bool is_at_work = state_.agents.size() > state_.line.idle();
    if (next == armed_for_ && is_at_work == armed_at_work_) return;
    armed_for_ = next;
    armed_at_work_ = is_at_work;
    deadline_.cancel();
    if (!next) return;
    deadline_.set_ticking(is_at_work);
    deadline_.expires_at(io::ActiveClock::time_point(next->time_since_epoch()));
    deadline_.async_wait([this](error_code ec) {
        if (ec) return;
        armed_for_.reset();
        time_passed();
    });
}

// Responses that have arrived are processed first, even if the kernel has not announced them yet.
void Daemon::Impl::time_passed() {
    std::vector<pool::AgentId> due;
    for (const auto& [deadline, agent] : state_.deadlines) {
        if (deadline > pool_now()) break;
        due.push_back(agent);
    }
    for (const pool::AgentId& agent : due)
        agents_.check_response(agent);
    feed(pool::TimePassed{});
}

void Daemon::Impl::perform(const pool::Kick& action) {
    agents_.kick(action.agent, action.reason, kick_is_requested_);
}

void Daemon::Impl::perform(const pool::Recall& action) {
    agents_.recall(action.agent, action.reason);
}

pool_protocol::Lease Daemon::Impl::lease_for(const pool::Assign& action) const {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    pool_protocol::Lease lease;
    lease.agent = action.agent;
    if (pool_protocol::is_id(action.submission)) lease.submission = action.submission;
    const pool::Submission& submission = state_.submissions.at(action.submission);
    if (!edge_link_.is_of_engine(action.submission)) {
        lease.by_file = submissions_.is_only_by_file(action.submission);
        lease.wants_agent = submissions_.options(action.submission).agent;
    }
    lease.wants_failures = submission.wants_failures;
    lease.labels = submission.labels;
    lease.priority = submission.place.priority;
    lease.assigned = duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch());
    if (action.timeout) lease.timeout = duration_cast<milliseconds>(*action.timeout);
    return lease;
}

void Daemon::Impl::perform(const pool::Assign& action) {
    const std::string* content = edge_link_.content(action.submission);
    if (content == nullptr) return give_up_unknown(action);
    io::log::debug("submission ", action.submission, " to ",
                   [&] { return agents_.display_name(action.agent); });
    handed_over(agents_.assign(lease_for(action), *content, edge_link_.schema(action.submission)),
                action.agent);
}

// An earlier daemon had given the task to an agent that has lost it now, and its content is unknown here.
void Daemon::Impl::give_up_unknown(const pool::Assign& action) {
    feed(pool::AssignmentFailed{action.agent});
    if (edge_link_.is_of_engine(action.submission))
        edge_link_.release_unknown(action.agent);
    else
        submissions_.give_up(action.submission);
}

void Daemon::Impl::perform(const pool::SendHeartbeat& action) {
    handed_over(agents_.send_heartbeat(action.agent), action.agent);
}

void Daemon::Impl::handed_over(Agents::Handover handover, const pool::AgentId& agent) {
    if (handover == Agents::Handover::agent_is_dead) feed(pool::AgentLeft{agent, true});
    if (handover == Agents::Handover::failed) feed(pool::AssignmentFailed{agent});
}

}  // namespace pool_daemon
