// From the bytes of a state log to the state of its run, by the same apply() as a live run. Says
// what of the bytes counts, and where they are damaged. Pure: where the bytes come from is the caller's
// affair.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "statelog/record.hpp"
#include "workflow/state.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace statelog {

// A task, or a finally, that was dropped, as the log has it.
struct DroppedRecord {
    workflow::TaskId task;
    config::StepId step;
    bool is_finally = false;
    workflow::Failure failure;
};

// How a log ends.
struct Tail {
    std::uint64_t committed_bytes = 0;  // what counts; the rest is dropped
    std::uint64_t dropped_bytes = 0;
    bool torn_line = false;   // a last line without a newline was dropped
    bool torn_group = false;  // a completion whose announced tasks aren't all there was dropped
};

// What a line is worth that is not as its checksum says: damage, or an edit that is to be accepted.
enum class Checksums { verified, ignored };

// Takes the bytes in pieces of any size. Copies are independent. After an error it is of no more use.
class Replay {
  public:
    // Gets each record after it was applied, those of a torn group included.
    using Observer = std::function<void(const Replay&, const Record&)>;

    // `name` is what messages call the log, its path.
    explicit Replay(std::string name, Observer observer = {}, Checksums checksums = Checksums::verified);

    // The error is damage, its code errc::bad_message, with the line and the byte at which it starts;
    // or it says that this never was a log, for the first line doesn't begin as a Config entry.
    base::Result<void> feed(std::string_view bytes);

    // There are no more bytes. After a torn group the state is that of a run in the middle of a decision:
    // feed another Replay with the first `committed_bytes`.
    base::Result<Tail> finish();

    const Header& header() const { return header_; }
    // Null before the first line.
    const std::shared_ptr<const config::WorkflowConfig>& config() const { return config_; }
    const workflow::State& state() const { return *state_; }
    // For the observer: where in the log the line of its record begins.
    std::uint64_t record_offset() const { return bytes_; }
    workflow::State take_state() { return std::move(*state_); }

    // The first few of those that were dropped, and how many there are.
    const std::vector<DroppedRecord>& dropped() const { return dropped_; }
    std::size_t dropped_count() const { return dropped_count_; }

  private:
    struct Group {
        workflow::TaskId completed;
        std::uint64_t start = 0;      // offset of its first byte
        std::uint64_t announced = 0;  // tasks that are still to be submitted
        bool is_retry = false;
    };

    base::Result<void> take_line(std::string_view line);
    base::Result<void> take_header(std::string_view line);
    base::Error no_log() const;
    base::Result<void> take_record(std::string_view line);
    base::Result<void> check_checksum(std::string_view line, bool first_has_one) const;
    base::Result<void> check_order(const workflow::Entry& entry) const;
    void follow_group(const workflow::Entry& entry);
    std::optional<DroppedRecord> dropped_by(const workflow::Entry& entry) const;
    base::Error damage(const std::string& what) const;
    base::Error damage_or_edit(const std::string& what) const;

    std::string name_;
    Observer observer_;
    Checksums checksums_;
    Header header_;
    std::shared_ptr<const config::WorkflowConfig> config_;
    std::optional<workflow::State> state_;
    std::string rest_;         // of a line whose newline has not come
    std::uint64_t lines_ = 0;  // whole ones
    std::uint64_t bytes_ = 0;  // in those
    std::uint64_t initial_ = 0;
    Group group_;
    std::vector<DroppedRecord> dropped_;
    std::size_t dropped_count_ = 0;
};

// The error with which damage is reported.
bool is_damage(const base::Error& error);

}  // namespace statelog
