// Computes the state of a run from the bytes of its state log, with the same apply() as a live run.
// Determines which part of the bytes is valid, and where they are damaged. Pure: the caller reads the file.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "statelog/record.hpp"
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

// How a log ends.
struct Tail {
    std::uint64_t committed_bytes = 0;  // the length of the valid part; the rest is dropped
    std::uint64_t dropped_bytes = 0;
    bool torn_line = false;  // the last line had no newline and was dropped
    bool torn_group =
        false;  // the last completion was dropped, because not all tasks that it announces follow
};

// How to treat a wrong checksum: as damage, or as an edit to be accepted.
enum class Checksums { verified, ignored };

// Takes the bytes in pieces of any size. Copies are independent. Must not be used after an error.
class Replay {
  public:
    // Called with each record after it was applied, including those of a torn group.
    using Observer = std::function<void(const Replay&, const Record&)>;

    // `name` is used in messages; usually the path of the log.
    explicit Replay(std::string name, Observer observer = {}, Checksums checksums = Checksums::verified);

    // Fails with errc::bad_message if the log is damaged; the message contains the line and its offset. Also
    // fails if the first line does not begin like a Config entry: then it is not a log.
    base::Result<void> feed(std::string_view bytes);

    // To be called at the end of the bytes. After a torn group, the state is inconsistent: replay the first
    // `committed_bytes` again with another Replay.
    base::Result<Tail> finish();

    const Header& header() const { return header_; }
    // Null before the first line.
    const std::shared_ptr<const config::WorkflowConfig>& config() const { return config_; }
    const workflow::State& state() const { return *state_; }
    // For the observer: the offset of the current record's line.
    std::uint64_t record_offset() const { return bytes_; }
    workflow::State take_state() { return std::move(*state_); }

    // The first dropped tasks that were not past a bound, and the number of all dropped tasks.
    const std::vector<DroppedRecord>& dropped() const { return dropped_; }
    std::size_t dropped_count() const { return dropped_count_; }
    // Since when the tasks of State::asked wait: since they were submitted, or since the log was begun, if
    // that was later.
    const std::map<workflow::TaskId, Time>& asked_since() const { return asked_since_; }
    // What agents have reported.
    const workflow::UsageTable& usage() const { return usage_; }

  private:
    struct Group {
        workflow::TaskId completed;
        std::uint64_t start = 0;      // offset of its first byte
        std::uint64_t announced = 0;  // tasks that must still be submitted
        bool is_retry = false;
    };

    base::Result<void> take_line(std::string_view line);
    base::Result<void> take_header(std::string_view line);
    base::Error not_a_log() const;
    base::Result<void> take_record(std::string_view line);
    base::Result<void> check_checksum(std::string_view line, bool first_has_one) const;
    base::Result<void> check_order(const workflow::Entry& entry) const;
    void track_group(const workflow::Entry& entry);
    void add_dropped(DroppedRecord dropped);
    void add_usage(const workflow::Entry& entry);
    void track_question(const Record& record);
    std::optional<DroppedRecord> dropped_by(const workflow::Entry& entry) const;
    base::Error damage(const std::string& what) const;
    base::Error damage_or_edit(const std::string& what) const;

    std::string name_;
    Observer observer_;
    Checksums checksums_;
    Header header_;
    std::shared_ptr<const config::WorkflowConfig> config_;
    std::optional<workflow::State> state_;
    std::string rest_;         // the beginning of a line whose newline has not arrived
    std::uint64_t lines_ = 0;  // complete ones
    std::uint64_t bytes_ = 0;  // in complete lines
    std::uint64_t initial_ = 0;
    Group group_;
    std::vector<DroppedRecord> dropped_;
    std::size_t dropped_count_ = 0;
    std::map<workflow::TaskId, Time> asked_since_;
    workflow::UsageTable usage_;
};

// Whether the error reports damage.
bool is_damage(const base::Error& error);

}  // namespace statelog
