// The results of an earlier run's tasks, by what decides them: the step with its parts (step_parts.hpp), and
// the value. Filled while that run's log is replayed, and asked for the tasks of a new run, whose config may
// be another. Keeps hashes of the tasks' values, and of the small ones, which results contain, the values.
// Pure.
#pragma once

#include "base/fingerprint.hpp"
#include "config/workflow_config.hpp"
#include "statelog/replay.hpp"
#include "workflow/machine.hpp"
#include "workflow/state.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace reuse {

// A task of an earlier run that has succeeded, and with what.
struct Found {
    workflow::TaskId task;
    std::vector<workflow::SharedTask> next;
};

// A task, or a `finally`, as far as its result depends on it. The step is one of the new config.
struct Key {
    config::StepId step;
    bool is_finally = false;
    base::Fingerprint value;

    friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
    using is_avalanching = void;  // a fingerprint's bits need no further mixing
    std::size_t operator()(const Key& key) const {
        return key.value.low ^ (std::size_t{key.step.value} << 1U) ^ (key.is_finally ? 1 : 0);
    }
};

// A task that has not succeeded in the earlier run.
struct Unsuccessful {
    workflow::TaskId task;                    // its last attempt
    std::optional<std::uint64_t> dropped_at;  // offset of its failure's line; none: it has not ended
};

class Results {
  public:
    // Returns the line of the earlier log that begins at this offset.
    using ReadLine = std::function<base::Result<std::string>(std::uint64_t offset)>;

    // `config` is that of the new run, and must outlive this.
    explicit Results(const config::WorkflowConfig& config) : config_(&config) {}

    // The observer of the replay of the earlier run's log, which must end with a complete group.
    void add(const statelog::Replay& replay, const statelog::Record& record);

    // The result for this task: of several equal tasks, that of the first whose result was not taken yet, in
    // the order of the log, and after the last one that of the last again. Empty if no equal task has
    // succeeded. Fails only if the log cannot be read again, which large values need.
    base::Result<std::optional<Found>> take(const workflow::Task& task, const ReadLine& read_line);

    // These results have been taken, in this order.
    void mark_taken(const std::vector<workflow::TaskId>& tasks);

    // Whether an equal task has succeeded, and the first of those that have.
    std::optional<workflow::TaskId> find(const workflow::Task& task) const;
    // An equal task that has not succeeded; a dropped one before one that has not ended.
    std::optional<Unsuccessful> find_unsuccessful(const workflow::Task& task) const;

  private:
    struct Child {
        config::StepId step;
        workflow::Value value;     // null if it is large
        std::uint64_t offset = 0;  // of its line
        base::Fingerprint fingerprint;
    };
    struct Result {
        workflow::TaskId task;
        std::uint32_t slot = 0;
        std::uint32_t first_child = 0;
        std::uint32_t children = 0;
        std::uint32_t next = 0;  // index of the next result of the slot; its own if it is the last one
    };
    // The results of one key, as indices.
    struct Slot {
        std::uint32_t first = 0;
        std::uint32_t to_take = 0;
        std::uint32_t last = 0;
    };
    // A step of the earlier config: the step of the new one with the same parts, and the one whose tasks a
    // result may contain, because its values have the same schema.
    struct Counterpart {
        std::optional<config::StepId> same;
        std::optional<config::StepId> as_child;
    };
    struct Dropped {
        Key key;
        Unsuccessful task;
    };

    // The success whose children are being submitted.
    struct Pending {
        Key key;
        workflow::TaskId task;
        std::uint32_t first_child = 0;
        std::size_t left = 0;
        bool is_usable = true;
    };

    void compare(const config::WorkflowConfig& earlier);
    void submit(const workflow::TaskSubmitted& entry, std::uint64_t offset);
    void complete(const workflow::TaskCompleted& entry, std::uint64_t offset);
    void add_child(const workflow::TaskSubmitted& entry, std::uint64_t offset,
                   const base::Fingerprint& fingerprint);
    void add_result(const Pending& whole);
    base::Fingerprint fingerprint_of(const workflow::Task& task) const;
    std::optional<Key> key_of(const workflow::Task& task) const;
    std::optional<std::uint32_t> slot_of(const workflow::Task& task) const;
    base::Result<Found> read(const Result& result, const ReadLine& read_line);

    const config::WorkflowConfig* config_;
    std::shared_ptr<const config::WorkflowConfig> earlier_;
    std::vector<Counterpart> counterparts_;  // by the earlier config's StepId
    std::vector<bool> has_counterpart_;      // by StepId

    std::unordered_map<workflow::TaskId, Key> open_;                       // the tasks that have not ended
    boost::unordered_flat_map<Key, std::uint32_t, KeyHash> slots_by_key_;  // indices of slots
    std::vector<Slot> slots_;
    std::vector<Result> results_;
    std::vector<Child> children_;
    std::vector<Dropped> dropped_;
    // The fingerprints of values in results that were taken: those of the tasks that are asked for next.
    boost::unordered_flat_map<const std::string*, base::Fingerprint> fingerprints_;

    std::optional<Pending> pending_;
};

}  // namespace reuse
