// An index of the tasks and attempts in a state log, built while the log is replayed. Contains the offsets of
// values and messages, which may be large, instead of their text. Pure.
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

// Empty if one of them is missing, or if the clock was set back in between.
std::optional<std::chrono::milliseconds> span(std::optional<statelog::Time> from,
                                              std::optional<statelog::Time> to);

// One attempt of a task: a TaskSubmitted and, if it has ended, its TaskCompleted.
struct InspectedAttempt {
    enum class Outcome : std::uint8_t { none, succeeded, failed };

    workflow::TaskId id;
    std::uint64_t submitted_at = 0;  // offset of the entry's line
    std::uint64_t completed_at = 0;  // the same, if there is an outcome
    std::optional<statelog::Time> submitted;
    std::optional<statelog::Time> started;  // only of attempts that have ended, and not in all logs
    std::optional<statelog::Time> ended;
    std::optional<std::uint32_t> next;  // index of the attempt that replaces this one
    std::uint32_t task = 0;             // index of the task
    Outcome outcome = Outcome::none;
    bool is_past_bound = false;  // no attempt was made: the task was dropped instead
    bool is_reused = false;      // no attempt was made: the completion says whose result it is
    bool is_answered = false;    // by a person, or rejected: the completion says by whom
    bool has_report = false;     // the completion contains what the agent reports
    bool has_measured = false;   // the completion contains what its local processes have used
    bool has_agent = false;      // the completion contains the name of the agent that had the task
    bool is_lenient = false;     // the response was taken out of the text around it

    // The time from the start, or from the submission if the log has no start, to the end. None if no attempt
    // was made.
    std::optional<std::chrono::milliseconds> duration() const {
        if (is_past_bound || is_reused) return std::nullopt;
        return span(started ? started : submitted, ended);
    }
};

// A task with all its attempts. The `finally` of a task is a task of its own.
struct InspectedTask {
    enum class Origin : std::uint8_t { initial, spawned, finally };
    enum class State : std::uint8_t {
        pending,  // submitted and not completed: ready or running
        waiting,  // has succeeded; its `finally` waits for descendants
        done,     // has succeeded, and does not wait
        dropped,  // has failed, with no retry left
    };

    config::StepId step;
    Origin origin = Origin::initial;
    State state = State::pending;
    bool finally_due = false;    // and not in the log: it is submitted first when the run is resumed
    std::uint32_t attempts = 1;  // the number of attempts
    std::uint32_t first = 0;     // index of the first attempt
    std::uint32_t last = 0;      // index of the last attempt
    std::uint64_t waits_for =
        0;  // descendants that have not finished; those below another waiting task are counted there
    std::optional<workflow::TaskId> parent;
    std::optional<std::uint32_t> finally_for;  // index of the task to which this `finally` belongs
    std::optional<std::uint32_t> finally;      // index of this task's `finally`, if it is in the log
};

// The counts for the tasks of a step, or for its `finally` tasks.
struct StepSummary {
    config::StepId step;
    bool is_finally = false;
    std::uint64_t pending = 0;
    std::uint64_t waiting = 0;
    std::uint64_t done = 0;
    std::uint64_t dropped = 0;
    std::uint64_t retried = 0;  // attempts after the first
    std::uint64_t timed = 0;    // attempts with a known duration
    std::chrono::milliseconds total{0};
    std::chrono::milliseconds longest{0};
};

class Inspection {
  public:
    // The observer of a replay whose log ends with a complete group.
    void add(const statelog::Replay& replay, const statelog::Record& record);
    // To be called once, after the last record.
    void conclude(const statelog::Replay& replay);

    // Both lists are in the order of the log. The indices above refer to them.
    const std::vector<InspectedTask>& tasks() const { return tasks_; }
    const std::vector<InspectedAttempt>& attempts() const { return attempts_; }

    // The index of the task of the attempt with this id.
    std::optional<std::uint32_t> find(workflow::TaskId id) const;
    workflow::TaskId last_id(const InspectedTask& task) const { return attempts_[task.last].id; }

    // A row for each step, and one for its `finally` if it has one.
    std::vector<StepSummary> summarise(const config::WorkflowConfig& config) const;

    // The times of the first and the last entry that have one.
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
