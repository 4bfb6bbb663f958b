// What the entries of a state log mean, by the words of docs/state-log.md, without the code of
// libs/statelog: every task ever submitted is kept, and where they stand is worked out from
// all of them each time it is asked. Shares nothing with the machine and the replay but the entries.
#pragma once

#include "workflow/state.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sim {

// A task that is to be done, again or for the first time.
struct Pending {
    workflow::TaskId task;
    config::StepId step;
    std::uint32_t attempt = 1;
    workflow::Value value;
    std::optional<workflow::TaskId> parent;
    std::optional<workflow::TaskId> finally_for;
    std::vector<workflow::PreviousAttempt> previous = {};  // that it is told of
    bool is_asked = false;                                 // a person has to do it
};

// Where a log leaves a run; all by id.
struct Standing {
    std::vector<Pending> pending;
    std::vector<workflow::TaskId> waiting;  // succeeded; their finally comes when their descendants are over
    std::vector<workflow::TaskId> due;  // over with all their descendants; their finally is not in the log
    std::uint64_t next_id = 0;
};

class LogModel {
  public:
    explicit LogModel(const config::WorkflowConfig& config) : config_(&config) {}

    // The next entry. Returns the rule that it breaks, and is of no use after that; null if there is none.
    const char* add(const workflow::Entry& entry);

    // Whether the last completion lacks tasks that it announces.
    bool is_torn() const { return announced_left_ > 0; }

    Standing standing() const;

  private:
    struct Node {
        workflow::TaskId id;
        config::StepId step;
        workflow::Value value;
        std::optional<workflow::TaskId> parent;
        std::optional<workflow::TaskId> finally_for;
        std::optional<workflow::TaskId> replaces;
        std::shared_ptr<const workflow::Failure> failure = {};
        bool completed = false;
        bool over = false;  // completed, and no retry follows
        bool has_its_finally = false;
        bool was_past_bound = false;  // dropped without an attempt
    };
    // By index into nodes_.
    struct Alive {
        std::vector<char> itself;
        std::vector<char> dependents;  // one of them at least
    };

    const char* complete(const workflow::TaskCompleted& entry);
    const char* announce(const std::vector<workflow::TaskId>& ids);
    const char* submit(const workflow::TaskSubmitted& entry);
    const char* check_announced(const workflow::TaskSubmitted& entry);
    const char* check_finally(const workflow::TaskSubmitted& entry, workflow::TaskId owner);
    std::optional<std::size_t> index(workflow::TaskId id) const;
    bool awaits_finally(const Node& node) const;
    Alive alive() const;
    Pending pending(const Node& node) const;
    std::vector<workflow::PreviousAttempt> previous(const Node& node, std::uint32_t attempt) const;

    const config::WorkflowConfig* config_;
    std::vector<Node> nodes_;  // by id
    std::uint64_t next_id_ = 0;
    std::vector<workflow::TaskId> announced_;  // by the last completion
    std::size_t announced_left_ = 0;
    workflow::TaskId announcer_;
    bool announces_retry_ = false;
};

// In what the state of a resumed run differs from that; empty if in nothing.
std::string difference(const Standing& standing, const workflow::State& state);

// How many of `entries` count in a log that ends after the first 0, 1, … of them: a completion does not as
// long as a task that it announces is missing, nor do those that are there.
std::vector<std::size_t> committed_counts(const std::vector<workflow::Entry>& entries);

}  // namespace sim
