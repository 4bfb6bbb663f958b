// What the agents of attempts have used that have not ended, and when that is to be written to the state log:
// without it, a run that is killed would forget it. A machine: it is told what agents tell. Pure.
#pragma once

#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/agent_report.hpp"
#include "workflow/budget.hpp"
#include "workflow/entry.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace workflow {

// The numbers of an activity; its text does not matter.
using AttemptUsage = pool_protocol::AgentActivity;

// What the log says that an attempt had used in all, and when that was written: Unix time.
struct NotedUsage {
    std::chrono::milliseconds time{};
    AttemptUsage used;
};
using UsageHistory = std::vector<NotedUsage>;  // the oldest first; not empty

class RunningUsage {
  public:
    using Time = std::chrono::milliseconds;  // of a clock that only goes forward
    using Notes = std::vector<std::pair<TaskId, AttemptUsage>>;

    // What changes in an attempt after a note of it is written no sooner than this.
    static constexpr std::chrono::seconds interval{10};

    // `before`: what the log says of attempts that had not ended when the run was resumed. They are made
    // again, and what they use now is added. If an agent has gone on with one of them meanwhile, it tells
    // when it has begun: what was written later is about the same work, and does not count besides.
    explicit RunningUsage(const std::map<TaskId, UsageHistory>& before = {});

    // The agent that has the task has used this so far.
    void told(TaskId task, const pool_protocol::AgentActivity& activity);
    // The agent does not have the task any more; `used`: what it has used in all, if that is known.
    void left(TaskId task, const std::optional<pool_protocol::AgentActivity>& used = std::nullopt);
    // The report of its last agent, or of several one after the other: those that have begun since then.
    // What agents before these have told counts besides.
    void reported(TaskId task, const pool_protocol::AgentReport& report);
    // The attempt was not made, or is made again: what its agents have used stays.
    void put_back(TaskId task);

    struct Ended {
        std::optional<pool_protocol::AgentReport> report;  // with what the log says of the attempt before
        std::optional<AttemptUsage> unreported;            // without a report: what is known all the same
    };
    // The attempt has ended, with the report of its agents, if there is one.
    Ended ended(TaskId task, std::optional<pool_protocol::AgentReport> report);

    // What is to be written now, of one attempt or of all. All of it counts as written.
    std::optional<AttemptUsage> take_due(TaskId task, Time now);
    Notes take_due(Time now);
    Notes take_all();
    // Whether something of the attempt is not written yet.
    bool is_unwritten(TaskId task) const;
    // When take_due() gives something; nothing if everything is written.
    std::optional<Time> next_due() const;

    // The usage of all attempts that have not ended: by attempt, and the sum.
    Notes totals() const;
    const BudgetUse& sum() const { return sum_; }

  private:
    struct Attempt {
        UsageHistory noted;   // before the run was resumed, as far as it counts; its last is in `before`
        AttemptUsage before;  // of earlier submissions
        std::vector<AttemptUsage> earlier;        // of each agent before the last one
        AttemptUsage so_far;                      // of the last agent
        std::vector<std::uint64_t> counted = {};  // when agents have begun whose usage is in `before`
        bool has_left = false;
        AttemptUsage written = {};
        std::optional<Time> written_at = std::nullopt;

        AttemptUsage total() const;
        void take(const pool_protocol::AgentReport& report);
        bool take_late(const AttemptUsage& used);
        void leave_out_noted_after(std::uint64_t since);
        std::optional<AttemptUsage> take_due(Time now);
    };

    // Changes the attempt, and the sum with it.
    template<class Change>
    void change(Attempt& attempt, Change make);

    std::map<TaskId, Attempt> attempts_;
    BudgetUse sum_;
};

}  // namespace workflow
