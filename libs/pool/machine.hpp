// Who gets what, and when somebody has waited too long: the pool's decisions, as a state and one function.
// Pure: no clock, no files, no sockets, no contents of tasks. The daemon turns what it sees into events and
// carries out the actions.
#pragma once

#include "base/id.hpp"
#include "pool/statistics.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace pool {

using Time = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;
using AgentId = base::TextId<struct AgentTag>;
using SubmissionId = base::TextId<struct SubmissionTag>;

struct Config {
    std::optional<Duration> idle_timeout;  // until an idle agent gets a heartbeat, and then to answer it;
                                           // none: no heartbeats
    std::optional<Duration> task_timeout;  // for submissions that name none
};

// ---- events: what has happened ----

struct AgentReady {
    AgentId agent;
    // It ends its work when it is told to, and then says so (AgentLeft): until then nobody else gets the
    // task.
    bool ends_when_told = false;
};
// Its ready file is gone, it handed its task back, or its work has ended as it was told.
struct AgentLeft {
    AgentId agent;
    bool unserved = false;  // it was gone before the task that it has now could be given to it
};
// It died, and so has what it had started.
struct AgentDied {
    AgentId agent;
};
// Its command has failed at the task.
struct AgentFailed {
    AgentId agent;
};
// It has ended its work by itself because the task's time is over.
struct AgentTimedOut {
    AgentId agent;
};
// A complete response file is there.
struct AgentResponded {
    AgentId agent;
};
// The same, but its response can't be passed on: it is too large.
struct ResponseRejected {
    AgentId agent;
};
// It had a task, or a heartbeat to answer, when an earlier daemon was killed, and still has it. Without
// a submission its response is nobody's.
struct Recovered {
    AgentId agent;
    std::optional<SubmissionId> submission;
    std::optional<Duration>
        timeout;  // the submission's, from its assignment: for the next agent, if it comes to that
    std::optional<Time> deadline;  // what is left of it; may have passed
    Duration worked{};             // so far
    bool ends_when_told = false;   // as in AgentReady
    bool wants_failures = false;   // as in Submitted
    bool is_nobodys = false;       // it works on a task that nobody waits for any more
};
// Its task or heartbeat could not be written: the disk, not the agent, failed.
struct AssignmentFailed {
    AgentId agent;
};
// One that is known already is asked for again.
struct Submitted {
    SubmissionId submission;
    std::optional<Duration> timeout;  // its own, counted from its assignment
    bool wants_failures = false;      // its submitter understands Refuse with `failed`
};
struct Withdrawn {
    SubmissionId submission;
};
// Nothing but that time has passed: next_deadline() is due.
struct TimePassed {};
// No task goes out any more, and what waits for one or comes is refused; what agents are at goes on, and
// those without a task wait on.
struct Draining {};
// All is refused, and agents are sent away; told a second time, those too who have not ended their work yet.
struct Stopping {};

using Event = std::variant<AgentReady, AgentLeft, AgentDied, AgentFailed, AgentTimedOut, AgentResponded,
                           ResponseRejected, Recovered, AssignmentFailed, Submitted, Withdrawn, TimePassed,
                           Draining, Stopping>;

// ---- actions: what the daemon is to do, in this order ----

struct Assign {
    AgentId agent;
    SubmissionId submission;
    std::optional<Duration> timeout;  // from now
};
struct SendHeartbeat {
    AgentId agent;
};
enum class KickReason { timeout, stopped, withdrawn };
// The agent is told, and its files go a little later.
struct Kick {
    AgentId agent;
    KickReason reason;
};
// The agent is told to end its work; it is heard of again, or its deadline passes.
struct Recall {
    AgentId agent;
    KickReason reason;
};
// The agent's response is the submission's answer.
struct Deliver {
    AgentId agent;
    SubmissionId submission;
};
enum class RefuseReason {
    timeout,
    stopped,
    failed,    // the agent's command has failed
    lost,      // several agents have died at work on it
    rejected,  // the response is too large
};
// The submission is answered without a response.
struct Refuse {
    SubmissionId submission;
    RefuseReason reason;
    std::optional<AgentId> agent;  // that had it
};
// The agent is through, and its files go.
struct Forget {
    AgentId agent;
};
// A response that nobody waits for (premature, or of an agent that is unknown): its file goes, unread.
struct DiscardResponse {
    AgentId agent;
};

using Action = std::variant<Assign, SendHeartbeat, Kick, Recall, Deliver, Refuse, Forget, DiscardResponse>;

// ---- state ----

// ending: it was told to end its work, and has not yet.
enum class AgentPhase { idle, busy, heartbeat, ending };

struct Agent {
    AgentPhase phase = AgentPhase::idle;
    std::uint64_t turn = 0;                  // idle: its place among those who wait
    std::optional<SubmissionId> submission;  // busy, ending: what it has; empty once that was withdrawn
    std::optional<Time> deadline;
    Time since{};     // in this phase
    Time assigned{};  // busy, ending: when it got its task
    bool ends_when_told = false;
    // ending: the submission that was withdrawn from it. Submitted again, it waits for the agent's end.
    std::optional<SubmissionId> withdrawn;
};

struct Submission {
    std::optional<Duration> timeout;
    std::int64_t turn = 0;         // queued: its place; handed-back ones go below all others
    std::optional<AgentId> agent;  // who has it; none: queued
    Time since{};                  // when it was queued, last
    bool wants_failures = false;
    int deaths = 0;    // of agents at work on it
    int failures = 0;  // that its submitter does not want to hear of
};

// So many agents may die at work on a task before it is refused as `lost`.
inline constexpr int most_deaths = 3;
// So many failures of a task with a timeout of its own, whose submitter does not want to hear of failures,
// before it is refused as timed out.
inline constexpr int most_failures = 3;
// How long an agent may take to end its work; then its task is given to others all the same.
inline constexpr Duration ending_time = std::chrono::seconds(10);

struct State {
    Config config;
    std::unordered_map<AgentId, Agent> agents;
    std::unordered_map<SubmissionId, Submission> submissions;
    std::map<std::uint64_t, AgentId> idle;       // longest-waiting first
    std::map<std::int64_t, SubmissionId> queue;  // first come, first served
    std::set<std::pair<Time, AgentId>> deadlines;
    std::unordered_map<SubmissionId, AgentId> ending;  // the withdrawn submissions of agents that end
    std::uint64_t next_agent_turn = 0;
    std::int64_t next_back_turn = 0;
    std::int64_t next_front_turn = -1;
    std::optional<Time> paused_until;  // after a failed assignment
    Duration pause{};                  // the backoff's last step
    bool closing = false;              // draining or stopped: what is submitted is refused
    bool stopped = false;              // agents that come are sent away
    Statistics statistics;
};

// Carries `event` into the state and returns what follows from it. `now` never goes backwards.
std::vector<Action> apply(State& state, const Event& event, Time now);

// Nothing is left that a pool that drains would wait for.
bool is_drained(const State& state);

// When TimePassed is due next, if nothing else happens.
std::optional<Time> next_deadline(const State& state);

// How many agents are in each phase. Looks at each of them.
struct Load {
    std::size_t idle = 0;
    std::size_t busy = 0;
    std::size_t heartbeat = 0;
    std::size_t ending = 0;
};
Load load(const State& state);

}  // namespace pool
