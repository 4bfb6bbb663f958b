// What a state log tells of its run, task by task: an index that is built while the log is replayed. Values
// and messages, which may be large, are not in it, only the places in the log where they stand. Pure.
#pragma once

#include "config/workflow_config.hpp"
#include "statelog/record.hpp"
#include "statelog/replay.hpp"
#include "workflow/entry.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace inspect {

// Nothing if one of them is missing, or the clock was set back in between.
std::optional<std::chrono::milliseconds> span(std::optional<statelog::Time> from,
                                              std::optional<statelog::Time> to);

// One attempt at a task: a TaskSubmitted and, if it has ended, its TaskCompleted.
struct InspectedAttempt {
    enum class Outcome : std::uint8_t { none, succeeded, failed };

    workflow::TaskId id;
    std::uint64_t submitted_at = 0;  // offset of the entry's line
    std::uint64_t completed_at = 0;  // the same, once there is an outcome
    std::optional<statelog::Time> submitted;
    std::optional<statelog::Time> started;  // of those that have ended; not in every writer's log
    std::optional<statelog::Time> ended;
    std::optional<std::uint32_t> next;  // index of the attempt that replaces this one
    std::uint32_t task = 0;             // index of the task
    Outcome outcome = Outcome::none;

    // From the start or, where the log does not have it, from the submission, to the end.
    std::optional<std::chrono::milliseconds> duration() const {
        return span(started ? started : submitted, ended);
    }
};

// A logical task, all its attempts. The finally of a task is one of its own.
struct InspectedTask {
    enum class Origin : std::uint8_t { initial, spawned, finally };
    enum class State : std::uint8_t {
        pending,  // submitted and not completed: to be started, or running now
        waiting,  // has succeeded; its finally waits for descendants
        done,     // has succeeded, and is waited for no more
        dropped,  // has failed, and is not tried again
    };

    config::StepId step;
    Origin origin = Origin::initial;
    State state = State::pending;
    bool finally_due = false;     // and not in the log: comes first when the run is resumed
    std::uint32_t attempts = 1;   // how many
    std::uint32_t first = 0;      // index of the first attempt
    std::uint32_t last = 0;       // and of the last
    std::uint64_t waits_for = 0;  // descendants that are not over; those of a waiting one count there
    std::optional<workflow::TaskId> parent;
    std::optional<std::uint32_t> finally_for;  // index of the task whose finally this is
    std::optional<std::uint32_t> finally;      // index of this one's finally, if it is in the log
};

// The tasks of a step, or its finallys.
struct StepSummary {
    config::StepId step;
    bool is_finally = false;
    std::uint64_t pending = 0;
    std::uint64_t waiting = 0;
    std::uint64_t done = 0;
    std::uint64_t dropped = 0;
    std::uint64_t retried = 0;  // attempts beyond the first
    std::uint64_t timed = 0;    // attempts with a duration
    std::chrono::milliseconds total{0};
    std::chrono::milliseconds longest{0};
};

class Inspection {
  public:
    // The observer of a replay (of one whose group at the end is whole).
    void add(const statelog::Replay& replay, const statelog::Record& record);
    // Once, after the last record.
    void conclude(const statelog::Replay& replay);

    // In the order of the log; the indices above refer to these.
    const std::vector<InspectedTask>& tasks() const { return tasks_; }
    const std::vector<InspectedAttempt>& attempts() const { return attempts_; }

    // The index of the task that the attempt of this id belongs to.
    std::optional<std::uint32_t> find(workflow::TaskId id) const;
    workflow::TaskId last_id(const InspectedTask& task) const { return attempts_[task.last].id; }

    // A row a step, and one for its finally if it has one.
    std::vector<StepSummary> summarise(const config::WorkflowConfig& config) const;

    // Of the first and the last entry that has a time.
    std::optional<statelog::Time> first_time() const { return first_time_; }
    std::optional<statelog::Time> last_time() const { return last_time_; }

  private:
    void submit(const workflow::TaskSubmitted& entry, InspectedAttempt attempt);
    void complete(const workflow::TaskCompleted& entry, const statelog::Record& record, std::uint64_t offset);

    std::vector<InspectedTask> tasks_;
    std::vector<InspectedAttempt> attempts_;
    std::unordered_map<workflow::TaskId, std::uint32_t> by_id_;  // indices of attempts
    std::optional<statelog::Time> first_time_;
    std::optional<statelog::Time> last_time_;
};

}  // namespace inspect
