#include "pool_daemon/edge_link.hpp"

#include "base/text.hpp"
#include "edge_shell/edge_id.hpp"
#include "pool_daemon/pool_clock.hpp"
#include "pool_protocol/agent_activity.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <variant>

namespace pool_daemon {

using edge::agent_side::IdleAgents;

namespace {

// No other daemon, here or on another host, has the same prefix.
std::string new_anonymous_prefix() {
    std::random_device random;
    return base::concat("anonymous-", std::to_string(std::uint64_t{random()} << 32 | random()), "-");
}

}  // namespace

EdgeLink::EdgeLink(const pool::State& state, Leases& leases, AwayAgents& away, Submissions& submissions,
                   Callbacks callbacks)
    : state_(state),
      leases_(leases),
      away_(away),
      submissions_(submissions),
      callbacks_(std::move(callbacks)) {}

base::Result<void> EdgeLink::open(const boost::asio::any_io_executor& executor, const PoolFiles& files,
                                  const EngineOptions& options) {
    auto self = edge_shell::own_edge_id(files.pool, files.scratch);
    if (self.has_error()) return self.error();
    auto opened = edge_shell::Edge::open(executor, files.pool, *self, options.times, options.make(*self),
                                         edge_callbacks());
    if (opened.has_error()) return opened.error();
    edge_ = std::move(*opened);
    submissions_.set_anonymous_prefix(new_anonymous_prefix());
    return {};
}

edge_shell::Edge::Callbacks EdgeLink::edge_callbacks() {
    edge_shell::Edge::Callbacks callbacks;
    callbacks.on_assign = [this](const edge_shell::Assignment& task) {
        unassigned_.erase(task.task);
        idle_is_stale_ = true;
        callbacks_.feed(pool::Submitted{task.task, task.timeout, task.wants_failures, task.queue.labels,
                                        task.queue.priority, task.setbacks.deaths, task.setbacks.failures});
    };
    callbacks.on_recall = [this](const pool::SubmissionId& id, bool wants_end) { recall(id, wants_end); };
    callbacks.idle_agents = [this] { return idle_agents(); };
    callbacks.work_of = [this](const pool::SubmissionId& id) { return work_of(id); };
    callbacks.on_answer = [this](const pool::SubmissionId& id, pool_protocol::Answer answer) {
        submissions_.answer(id, std::move(answer));
    };
    callbacks.on_activity = [this](const std::string& text) {
        if (auto told = pool_protocol::parse_task_activity(text)) submissions_.tell_activity(*told);
    };
    callbacks.on_left = [this](const std::string& text) {
        if (auto told = pool_protocol::parse_task_activity(text)) submissions_.agent_left(*told);
    };
    callbacks.host_status = [this] { return host_status(); };
    callbacks.on_delivered = [this] { callbacks_.on_delivered(); };
    return callbacks;
}

// Tasks that an earlier daemon had given to agents: which of these are still at work is known by now.
void EdgeLink::start() {
    std::vector<edge_shell::AgentNote> assigned;
    for (const auto& [id, note] : edge_->notes())
        if (note.task.stage == edge::agent_side::Stage::assigned) assigned.push_back(note);
    for (const edge_shell::AgentNote& note : assigned) {
        const pool::SubmissionId& id = note.task.task;
        if (is_at_work(note.ending_agent))
            ending_.insert_or_assign(note.ending_agent, Ending{id});
        else if (!note.ending_agent.empty())
            edge_->ended(id);
        else if (!state_.submissions.contains(id))
            edge_->unassigned(id, note.task.setbacks);
    }
    edge_->start();
}

bool EdgeLink::is_at_work(const pool::AgentId& id) const {
    auto found = state_.agents.find(id);
    return found != state_.agents.end() &&
           (found->second.state == pool::AgentState::busy || found->second.state == pool::AgentState::ending);
}

void EdgeLink::recall(const pool::SubmissionId& id, bool wants_end) {
    unassigned_.erase(id);
    last_reports_.erase(id);
    auto found = state_.submissions.find(id);
    std::optional<pool::AgentId> agent;
    if (found != state_.submissions.end()) agent = found->second.agent;
    if (agent && wants_end) {
        edge_->note_ending(id, *agent);
        ending_.insert_or_assign(*agent, Ending{id});
    }
    if (agent) leases_.mark_withdrawn(*agent);
    callbacks_.feed(pool::Withdrawn{id});
    bool has_ended = std::ranges::none_of(ending_, [&](const auto& one) { return one.second.task == id; });
    if (wants_end && has_ended) edge_->ended(id);
}

std::optional<edge_shell::Work> EdgeLink::work_of(const pool::SubmissionId& id) const {
    auto needs = submissions_.needs(id);
    if (!needs) return std::nullopt;
    return edge_shell::Work{*submissions_.content(id),
                            std::string(submissions_.schema(id)),
                            submissions_.options(id).failures,
                            submissions_.tells_activity(),
                            {needs->labels, needs->priority}};
}

std::vector<IdleAgents> EdgeLink::idle_agents() const {
    std::vector<IdleAgents> agents;
    if (state_.closing) return agents;
    for (pool::WaitingLine::Idle& group : state_.line.idle_groups())
        agents.push_back({std::move(group.labels), group.count});
    return agents;
}

// What has changed in the pool, after all events so far.
void EdgeLink::pool_changed() {
    tell_ends();
    for (const pool::SubmissionId& id : state_.line.all_queued()) {
        const pool::Submission& submission = state_.submissions.at(id);
        last_reports_.erase(id);
        if (is_of_engine(id) && unassigned_.insert(id).second)
            edge_->unassigned(id, {submission.deaths, submission.failures});
    }
    std::vector<IdleAgents> idle = idle_agents();
    if (!std::exchange(idle_is_stale_, false) && idle == idle_) return;
    idle_ = std::move(idle);
    edge_->idle_changed();
}

void EdgeLink::tell_ends() {
    for (auto next = ending_.begin(); next != ending_.end();) {
        auto agent = next++;
        if (is_at_work(agent->first)) continue;
        Ending ending = std::move(agent->second);
        ending_.erase(agent);
        if (ending.was_stopped)
            edge_->answered(ending.task, pool_protocol::Stopped{});
        else
            edge_->ended(ending.task);
    }
}

// The agents that are away count, too: they will be back.
std::optional<std::vector<base::Labels>> EdgeLink::labels_of_agents() const {
    constexpr std::size_t most = 100;  // a host with more does not say
    auto attached = state_.line.offered();
    std::set<base::Labels> labels(attached.begin(), attached.end());
    for (pool_protocol::AgentAway& away : away_.all())
        labels.insert(std::move(away.labels));
    if (labels.size() > most) return std::nullopt;
    return std::vector(labels.begin(), labels.end());
}

pool_protocol::HostStatus EdgeLink::host_status() const {
    pool::Load load = pool::load(state_);
    pool_protocol::EngineStatus engine = edge_->status();
    pool_protocol::HostStatus host{engine.edge, load.idle, load.busy + load.ending, engine.leases,
                                   engine.submissions};
    auto now =
        std::chrono::floor<pool_protocol::UnixTime>(std::chrono::system_clock::now().time_since_epoch());
    if (engine.is_connected && engine.since) host.connected_for = now - *engine.since;
    host.lag = engine.lag;
    host.counts = engine.counts;
    host.labels = labels_of_agents();
    return host;
}

void EdgeLink::release_unknown(const pool::AgentId& id, edge::Setbacks more) {
    if (!edge_) return;
    auto found = state_.agents.find(id);
    if (found == state_.agents.end() || !found->second.submission) return;
    pool::SubmissionId task = *found->second.submission;
    if (!is_of_engine(task) || content(task) != nullptr) return;
    const pool::Submission& submission = state_.submissions.at(task);
    edge::Setbacks setbacks{submission.deaths + more.deaths, submission.failures + more.failures};
    callbacks_.feed(pool::Withdrawn{task});
    edge_->unassigned(task, setbacks);
}

void EdgeLink::note_report(const pool::SubmissionId& id, pool_protocol::AgentReport report) {
    last_reports_.insert_or_assign(id, std::move(report));
}

void EdgeLink::answer(const pool::SubmissionId& id, pool_protocol::Answer answer) {
    auto report = last_reports_.extract(id);
    if (!report.empty() && !std::holds_alternative<pool_protocol::Processed>(answer))
        add_spent(answer, report.mapped());
    edge_->answered(id, std::move(answer));
}

bool EdgeLink::answer_at_end(const pool::Refuse& action) {
    if (action.reason != pool::RefuseReason::stopped || !action.agent || !is_of_engine(action.submission) ||
        !is_at_work(*action.agent))
        return false;
    ending_.insert_or_assign(*action.agent, Ending{action.submission, true});
    return true;
}

const std::string* EdgeLink::content(const pool::SubmissionId& id) const {
    if (!is_of_engine(id)) return submissions_.content(id);
    const edge_shell::Work* work = edge_->work(id);
    return work == nullptr ? nullptr : &work->content;
}

std::string_view EdgeLink::schema(const pool::SubmissionId& id) const {
    if (!is_of_engine(id)) return submissions_.schema(id);
    const edge_shell::Work* work = edge_->work(id);
    return work == nullptr ? std::string_view() : std::string_view(work->schema);
}

}  // namespace pool_daemon
