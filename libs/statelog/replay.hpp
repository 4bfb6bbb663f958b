// Computes the state of a run from the bytes of its state log, with the same apply() as a live run.
// Determines which part of the bytes is valid, and where they are damaged. Pure: the caller reads the file.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "statelog/entry_reader.hpp"
#include "statelog/record.hpp"
#include "workflow/running_usage.hpp"
#include "workflow/state.hpp"
#include "workflow/usage.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace statelog {

// A task, or a `finally`, that was dropped.
struct DroppedRecord {
    workflow::TaskId task;
    config::StepId step;
    bool is_finally = false;
    workflow::Failure failure;
};

// Takes the bytes in pieces of any size. Copies are independent. Must not be used after an error.
class Replay {
  public:
    // Called with each record after it was applied, including those of a torn group.
    using Observer = std::function<void(const Replay&, const Record&)>;
    // Called with each line that says what an attempt has used before it ended.
    using NoteObserver = std::function<void(const Replay&)>;

    // `name` is used in messages; usually the path of the log.
    explicit Replay(std::string name, Observer observer = {}, Checksums checksums = Checksums::verified,
                    NoteObserver note_observer = {});

    // Fails with errc::bad_message if the log is damaged; the message contains the line and its offset. Also
    // fails if the first line does not begin like a Config entry: then it is not a log.
    base::Result<void> feed(std::string_view bytes);

    // To be called at the end of the bytes. After a torn group, the state is inconsistent: replay the first
    // `committed_bytes` again with another Replay.
    base::Result<Tail> finish();

    const Header& header() const { return reader_.header(); }
    // The offset of the line after it.
    std::uint64_t header_end() const { return reader_.header_end(); }
    // Null before the first line.
    const std::shared_ptr<const config::WorkflowConfig>& config() const { return reader_.config(); }
    const workflow::State& state() const { return *state_; }
    // The offset of the current record's line, for the observer.
    std::uint64_t record_offset() const { return reader_.offset(); }
    workflow::State take_state() { return std::move(*state_); }

    // The first dropped tasks that were not past a bound, and the number of all dropped tasks.
    const std::vector<DroppedRecord>& dropped() const { return dropped_; }
    std::size_t dropped_count() const { return dropped_count_; }
    // Since when the tasks of State::asked wait: since they were submitted, or since the log was begun, if
    // that was later.
    const std::map<workflow::TaskId, Time>& asked_since() const { return asked_since_; }
    // What agents have reported of attempts that have ended.
    const workflow::UsageTable& usage() const { return usage_; }
    // What agents have used in the attempts that have not ended, as far as the log says.
    const std::map<workflow::TaskId, workflow::UsageHistory>& running_usage() const { return running_usage_; }
    // What agents have used in all attempts together.
    workflow::UsageTable whole_usage() const;

  private:
    base::Result<void> take(const Record& record);
    workflow::State& begun_state();
    void add_dropped(DroppedRecord dropped);
    void add_usage(const workflow::Entry& entry);
    void take_note(const UsageNote& note);
    void track_question(const Record& record);
    std::optional<DroppedRecord> dropped_by(const workflow::Entry& entry) const;

    EntryReader reader_;
    Observer observer_;
    std::optional<workflow::State> state_;
    std::vector<DroppedRecord> dropped_;
    std::size_t dropped_count_ = 0;
    std::map<workflow::TaskId, Time> asked_since_;
    workflow::UsageTable usage_;
    std::map<workflow::TaskId, workflow::UsageHistory> running_usage_;
    NoteObserver note_observer_;
};

}  // namespace statelog
