// The state machine of the pool: which agent gets which submission, and when a timeout has passed. Pure: no
// clock, files or sockets, and no contents of tasks. The daemon translates what happens into events and
// carries out the actions.
#pragma once

#include "base/id.hpp"
#include "base/labels.hpp"
#include "base/pool_types.hpp"
#include "pool/hand_backs.hpp"
#include "pool/statistics.hpp"
#include "pool/waiting_line.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace pool {

using base::KickReason;
using Time = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

struct Config {
    std::optional<Duration> idle_timeout;  // until an idle agent gets a heartbeat, and again until it must
                                           // have responded; empty: no heartbeats
    std::optional<Duration> task_timeout;  // for submissions without their own
};

// ---- events: what has happened ----

struct AgentReady {
    AgentId agent;
    // The agent can be recalled: it ends its work when it is told to, and reports that (AgentLeft). Until
    // then the task is not assigned to another agent.
    bool ends_when_told = false;
    base::Labels labels = {};  // it gets only tasks of which it has all labels
    std::string account = {};  // at a provider; empty if it tells none
};
// The agent's ready file is gone, it handed its task back, or it has ended its work after a recall.
struct AgentLeft {
    AgentId agent;
    bool unserved = false;  // it was gone before its task could be given to it: that keeps its position
    // Why it could not do its task, if that may be the task's fault.
    std::string reason = {};
};
// The agent died, and so have the processes that it had started.
struct AgentDied {
    AgentId agent;
};
// The agent's command failed at the task.
struct AgentFailed {
    AgentId agent;
};
// The agent ended its work by itself at the task's timeout.
struct AgentTimedOut {
    AgentId agent;
};
// There is a complete response file.
struct AgentResponded {
    AgentId agent;
};
// There is a complete response file, but the response is too large to be delivered.
struct ResponseRejected {
    AgentId agent;
};
// The agent had a task or a heartbeat when an earlier daemon was killed, and still has it. Without a
// submission its response is discarded.
struct Recovered {
    AgentId agent;
    std::optional<SubmissionId> submission;
    std::optional<Duration> timeout;  // of the submission, from its assignment; used if another agent gets it
    std::optional<Time> deadline;     // the rest of it; may have passed
    Duration worked{};                // so far
    bool ends_when_told = false;      // as in AgentReady
    bool wants_failures = false;      // as in Submitted
    bool is_withdrawn = false;        // it works on a task whose submission was withdrawn
    base::Labels labels = {};         // of the submission
    base::Labels agent_labels = {};
    std::int32_t priority = 0;  // of the submission
};
// The agent's task or heartbeat could not be written because of the disk, not because of the agent.
struct AssignmentFailed {
    AgentId agent;
};
// Submitting a known submission again is allowed.
struct Submitted {
    SubmissionId submission;
    std::optional<Duration> timeout;  // its own, from its assignment
    bool wants_failures = false;      // its submitter understands Refuse with `failed`
    base::Labels labels = {};         // only an agent that has all of them gets it
    std::int32_t priority = 0;        // higher ones are assigned first
    int deaths = 0;                   // what has gone wrong on other hosts, as in Submission
    int failures = 0;
};
struct Withdrawn {
    SubmissionId submission;
};
// Somebody wants a queued submission not to be done. One that an agent has is left to it.
struct Cancelled {
    SubmissionId submission;
};
// Somebody wants a queued submission to be assigned before another queued one, or before all. It takes the
// priority of that one. Nothing happens if one of the two is not queued.
struct Moved {
    SubmissionId submission;
    std::optional<SubmissionId> before;  // empty: before all
};
// Somebody wants the agent to end. Its task is queued again; if the agent can be recalled, when it has ended
// its work.
struct KickRequested {
    AgentId agent;
};
// next_deadline() has passed.
struct TimePassed {};
// Tasks are no longer assigned, and those that are queued or submitted are refused. Agents finish their
// current tasks; idle agents stay.
struct Draining {};
// All submissions are refused, and agents are dismissed. The second time, agents that have not ended their
// work yet are dismissed, too.
struct Stopping {};

using Event = std::variant<AgentReady, AgentLeft, AgentDied, AgentFailed, AgentTimedOut, AgentResponded,
                           ResponseRejected, Recovered, AssignmentFailed, Submitted, Withdrawn, Cancelled,
                           Moved, KickRequested, TimePassed, Draining, Stopping>;

// ---- actions, which the daemon carries out in this order ----

struct Assign {
    AgentId agent;
    SubmissionId submission;
    std::optional<Duration> timeout;  // from now
};
struct SendHeartbeat {
    AgentId agent;
};
// The agent is told; its files are removed a little later.
struct Kick {
    AgentId agent;
    KickReason reason;
};
// The agent is told to end its work. An event of the agent follows, or its deadline passes.
struct Recall {
    AgentId agent;
    KickReason reason;
};
// The agent's response is the answer to the submission.
struct Deliver {
    AgentId agent;
    SubmissionId submission;
};
enum class RefuseReason {
    timeout,
    stopped,
    failed,    // the agent's command failed, or agents have handed the task back too often
    lost,      // several agents died at work on it
    rejected,  // the response is too large
    cancelled,
};
// The submission is answered without a response.
struct Refuse {
    SubmissionId submission;
    RefuseReason reason;
    std::optional<AgentId> agent;  // that had it
};
// The agent has finished; its files are removed.
struct Forget {
    AgentId agent;
};
// A response that is not expected (too early, or of an unknown agent): its file is removed unread.
struct DiscardResponse {
    AgentId agent;
};
// For 30 s no attached agent has had all labels of queued submissions.
struct ReportUnmatched {
    base::Labels labels;
    base::Labels missing;   // those that no agent has; none if each has an agent, but no agent has all
    std::size_t tasks = 0;  // the number of these submissions
};
// The submission is one of those; so it may have to wait for long.
struct TellUnmatched {
    SubmissionId submission;
    base::Labels missing;  // as above
};

using Action = std::variant<Assign, SendHeartbeat, Kick, Recall, Deliver, Refuse, Forget, DiscardResponse,
                            ReportUnmatched, TellUnmatched>;

// ---- state ----

// `ending`: the agent was told to end its work, and has not done so yet.
enum class AgentState { idle, busy, heartbeat, ending };

struct Agent {
    AgentState state = AgentState::idle;
    std::uint64_t turn = 0;  // idle: its position among the idle agents
    std::optional<SubmissionId>
        submission;  // busy, ending: the submission that it has; empty if that was withdrawn
    std::optional<Time> deadline;
    Time since{};     // since when it is in this state
    Time assigned{};  // busy, ending: when it got its task
    bool ends_when_told = false;
    // ending: the submission that was withdrawn from it, or taken by a kick. If that is submitted again, it
    // waits until the agent has ended its work.
    std::optional<SubmissionId> withdrawn;
    base::Labels labels;
    std::string account;  // may be empty
};

struct Submission {
    std::optional<Duration> timeout;
    // Queued: its place; those that were handed back are before all others of their priority, but the second
    // time in a row behind them.
    WaitingLine::Place place;
    std::optional<AgentId> agent;  // the agent that has it; empty: queued
    Time since{};                  // when it was last queued
    bool wants_failures = false;
    int deaths = 0;    // of agents that worked on it
    int failures = 0;  // that are not reported to its submitter
    HandBacks hand_backs = {};
    base::Labels labels;
};

// Labels of queued submissions that no attached agent has, or not all of them.
struct Unmatched {
    Time since{};
    bool is_reported = false;
};

// The number of agents that may die at work on a task before it is refused as `lost`.
inline constexpr int max_deaths = 3;
// The number of failures after which a task with a timeout of its own, whose submitter does not want to be
// told of failures, is refused as timed out.
inline constexpr int max_failures = 3;
// The time that an agent has to end its work; after that, its task is assigned to another agent anyway.
inline constexpr Duration ending_time = std::chrono::seconds(10);

// How long that lasts before it is reported: agents may pause, and attach anew for each task.
inline constexpr Duration unmatched_time = std::chrono::seconds(30);

struct State {
    Config config;
    std::unordered_map<AgentId, Agent> agents;
    std::unordered_map<SubmissionId, Submission> submissions;
    WaitingLine line;                             // the idle agents and the queued submissions
    std::map<base::Labels, Unmatched> unmatched;  // by labels, which are not empty
    AccountSuccesses successes;
    std::set<std::pair<Time, AgentId>> deadlines;
    std::unordered_map<SubmissionId, AgentId>
        ending;  // the withdrawn submissions of agents in the state `ending`
    std::uint64_t next_agent_turn = 0;
    std::int64_t next_back_turn = 0;
    std::int64_t next_front_turn = -1;
    std::optional<Time> paused_until;  // after a failed assignment
    Duration pause{};                  // the current delay of the backoff
    bool closing = false;              // draining or stopped: new submissions are refused
    bool stopped = false;              // new agents are dismissed
    Statistics statistics;
};

// Applies `event` to the state and returns the resulting actions. `now` must not decrease.
std::vector<Action> apply(State& state, const Event& event, Time now);

// Whether a draining pool has nothing left to wait for.
bool is_drained(const State& state);

// The time at which TimePassed is due, if nothing happens before.
std::optional<Time> next_deadline(const State& state);

// The number of agents in each state. Linear in the number of agents.
struct Load {
    std::size_t idle = 0;
    std::size_t busy = 0;
    std::size_t heartbeat = 0;
    std::size_t ending = 0;
};
Load load(const State& state);

}  // namespace pool
