#include "pool_daemon/status.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace pool_daemon {

using pool_protocol::AgentStatus;
using pool_protocol::UnixTime;

namespace {

using CalendarTime = std::chrono::system_clock::time_point;

// Converts times of the steady clock to the system clock as it is now, so that differences are right even if
// the system clock was changed.
class Calendar {
  public:
    Calendar(pool::Time now, CalendarTime calendar_now) : now_(now), calendar_now_(calendar_now) {}

    UnixTime operator()(pool::Time time) const {
        auto age = std::chrono::duration_cast<CalendarTime::duration>(now_ - time);
        return std::chrono::floor<UnixTime>((calendar_now_ - age).time_since_epoch());
    }

  private:
    pool::Time now_;
    CalendarTime calendar_now_;
};

// The kernel says so behind the name of the file.
bool is_program_replaced() {
    std::error_code failed;
    std::string path = std::filesystem::read_symlink("/proc/self/exe", failed).string();
    return !failed && path.ends_with(" (deleted)");
}

AgentStatus::State state_of(pool::AgentState state) {
    switch (state) {
        case pool::AgentState::busy:
            return AgentStatus::State::busy;
        case pool::AgentState::heartbeat:
            return AgentStatus::State::heartbeat;
        case pool::AgentState::ending:
            return AgentStatus::State::ending;
        case pool::AgentState::idle:
            break;
    }
    return AgentStatus::State::idle;
}

AgentStatus describe_agent(const pool::AgentId& id, const pool::Agent& agent, std::string name,
                           const Calendar& calendar) {
    AgentStatus status;
    status.id = id;
    status.name = std::move(name);
    status.state = state_of(agent.state);
    status.submission = agent.submission.value_or("");
    status.since = calendar(agent.since);
    // The deadline of an idle agent is that of its next heartbeat, which is not a deadline for the agent.
    if (agent.deadline && agent.state != pool::AgentState::idle) status.deadline = calendar(*agent.deadline);
    status.labels = agent.labels;
    return status;
}

pool_protocol::QueueStatus describe_queue(const pool::State& state, const Calendar& calendar) {
    pool_protocol::QueueStatus queue;
    queue.length = state.line.queued();
    if (auto first = state.line.first_queued())
        queue.head = {first->submission, calendar(state.submissions.at(first->submission).since)};
    for (const auto& [labels, unmatched] : state.unmatched)
        if (unmatched.is_reported)
            queue.unmatched.push_back({labels, state.line.missing(labels),
                                       state.line.count_queued_with(labels), calendar(unmatched.since)});
    return queue;
}

pool_protocol::Latency latency(const pool::Histogram& histogram) {
    return {histogram.count(), histogram.quantile(0.5), histogram.quantile(0.9), histogram.quantile(0.99),
            histogram.max()};
}

pool_protocol::DurationHistogram histogram_of(const pool::Histogram& measured) {
    pool_protocol::DurationHistogram histogram;
    for (std::size_t i = 0; i < histogram.bounds.size(); ++i)
        histogram.counts[i] = measured.count_at_most(histogram.bounds[i]);
    histogram.count = measured.count();
    histogram.sum = measured.sum();
    return histogram;
}

}  // namespace

pool_protocol::StatusCounts counts_of(const pool::Statistics& statistics, std::uint64_t invalid) {
    pool_protocol::StatusCounts counts;
    counts.submitted = statistics.submitted;
    counts.recovered = statistics.recovered;
    counts.processed = statistics.processed;
    counts.timed_out = statistics.timed_out;
    counts.stopped = statistics.stopped;
    counts.withdrawn = statistics.withdrawn;
    counts.invalid = invalid;
    counts.handed_back = statistics.handed_back;
    counts.kicked = statistics.kicked;
    counts.failed = statistics.failed;
    counts.died = statistics.died;
    return counts;
}

pool_protocol::Status describe(const pool::State& state, const Agents& agents, const StatusFacts& facts,
                               pool::Time now, CalendarTime calendar_now) {
    Calendar calendar(now, calendar_now);
    pool_protocol::Status status;
    status.pool = facts.directory.pool;
    status.path = facts.directory.path;
    status.pid = ::getpid();
    status.program_replaced = is_program_replaced();
    status.time = calendar(now);
    status.started = std::chrono::floor<UnixTime>(facts.started.time_since_epoch());
    status.draining = state.closing;
    status.agents.reserve(state.agents.size());
    for (const auto& [id, agent] : state.agents) {
        status.agents.push_back(describe_agent(id, agent, agents.name(id), calendar));
        status.agents.back().activity = agents.activity(id);
    }
    status.away = facts.away;
    status.queue = describe_queue(state, calendar);
    status.counts = counts_of(state.statistics, facts.invalid);
    status.waiting = latency(state.statistics.waiting);
    status.working = latency(state.statistics.working);
    status.queue_wait = histogram_of(state.statistics.assigned_after);
    status.task_duration = histogram_of(state.statistics.working);
    return status;
}

std::string summary(const pool::State& state) {
    pool::Load load = pool::load(state);
    return base::concat(state.closing ? "draining: " : "", base::counted(state.agents.size(), "agent"), ", ",
                        load.busy + load.ending, " of them busy; ",
                        base::counted(state.line.queued(), "task"), " waiting");
}

}  // namespace pool_daemon
