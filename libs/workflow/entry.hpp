// The entries of a run's history: what happened to its tasks, in order. Applying them in order gives the
// run's state, whether they happen now or are read from a log. Plain data; makes no decisions.
#pragma once

#include "base/id.hpp"
#include "config/workflow_config.hpp"
#include "pool_protocol/agent_report.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace workflow {

// The number of an attempt: from 0, in the order of submission, never reused within a run.
using TaskId = base::StrongId<struct TaskTag>;

// Compact JSON text, otherwise unchanged, shared by all attempts of a task.
using Value = std::shared_ptr<const std::string>;

// Why a task was submitted.
struct Initial {};
struct Spawned {};  // by its parent's response
struct Retry {
    TaskId replaces;  // the attempt that failed
};
struct Finally {
    TaskId finally_for;  // the last attempt of the task, which has finished together with all its descendants
};
using Origin = std::variant<Initial, Spawned, Retry, Finally>;

// `parent` is the task whose response contained this one. A retry or `finally` has the parent of its task.
struct TaskSubmitted {
    TaskId task;
    config::StepId step;
    Value value;
    std::optional<TaskId> parent;
    Origin origin;
};

struct Failure {
    enum class Kind {
        timeout,
        agent_lost,
        agent_failed,
        invalid_response,
        command_failed,
        hook_failed,
        past_bound,  // no attempt was made (workflow/bounds.hpp)
        rejected,    // by the person who was asked
        expired      // no person has answered in time
    };
    Kind kind = Kind::command_failed;
    std::string message;           // for people; may end with lines of stderr
    std::optional<int> exit_code;  // command_failed, agent_failed: at most one of these two is set
    std::optional<int> signal;
    std::string hook;  // hook_failed: "pre", "post", "finally" or "gather"
    // The name of the failure for programs. agent_failed: a short name such as "too_large"; may be empty.
    // past_bound: the bound's name.
    std::string name = {};
    bool is_permanent = false;  // trying again cannot help
    // What the action had answered, as workflow/feedback writes it; empty if nothing, or if no later attempt
    // is to be told.
    std::optional<std::string> response = std::nullopt;
};

struct Succeeded {
    std::vector<TaskId> spawned;
};
// The failure is shared, because it is large and most entries have none.
class Failed {
  public:
    Failed(Failure failure, std::optional<TaskId> retried_by)
        : retry(retried_by), failure_(std::make_shared<const Failure>(std::move(failure))) {}

    const Failure& failure() const { return *failure_; }

    std::optional<TaskId> retry;  // empty: the task is dropped

  private:
    std::shared_ptr<const Failure> failure_;
};
// A task of an earlier run, whose result was taken over.
struct ReusedFrom {
    std::string run_id;
    TaskId task;
};
// Who answered a task that waited for a person.
struct AnsweredBy {
    std::string user;
};
// How long the phases of an attempt took, and what its local processes have used. Only attempts that ran at
// least one local process have it.
struct Measured {
    std::optional<std::chrono::milliseconds> pre;
    std::optional<std::chrono::milliseconds>
        action;  // or the finally; of a Pool step with the time in the queue
    std::optional<std::chrono::milliseconds> post;
    std::chrono::milliseconds cpu{};  // of all processes, user and system
    // Resident bytes of the largest process. Empty if that is not more than the run itself has had.
    std::optional<std::uint64_t> peak_memory;
};
// `report`, `reused`, `answered`, `measured` and `agent` are null in most entries. A response leads to an
// entry for each of its tasks, in one group, so an entry has little room for what is rare.
struct TaskCompleted {
    TaskId task;
    std::variant<Succeeded, Failed> outcome;
    std::shared_ptr<const pool_protocol::AgentReport> report = nullptr;  // of the agent that had the task
    std::shared_ptr<const ReusedFrom> reused = nullptr;                  // set: no attempt was made
    bool is_lenient = false;                               // the response was taken out of the text around it
    std::shared_ptr<const AnsweredBy> answered = nullptr;  // set: no attempt was made
    std::shared_ptr<const Measured> measured = nullptr;
    // The name of the agent that had the task last, or its id if it has no name.
    std::shared_ptr<const std::string> agent = nullptr;
};

using Entry = std::variant<TaskSubmitted, TaskCompleted>;

// A completion with everything that it announces, or all initial tasks of a run. It counts completely or not
// at all.
using Group = std::vector<Entry>;

}  // namespace workflow
