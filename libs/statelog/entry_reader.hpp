// The entries of a state log, read from its bytes: lines, checksums, and whether each entry can stand where
// it does within its group. Keeps nothing of the tasks: `statelog/replay` and `trace` do so, each in its way.
// Pure: the caller reads the file.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "statelog/record.hpp"
#include "statelog/usage_note.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace statelog {

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
class EntryReader {
  public:
    // What is done with an entry. An error says what the entry "is" or "has", and is reported as damage.
    using Take = std::function<base::Result<void>(const Record&)>;

    using TakeNote = std::function<void(const UsageNote&)>;

    // `name` is used in messages; usually the path of the log.
    explicit EntryReader(std::string name, Checksums checksums = Checksums::verified);

    // Calls `take` for each entry after the first line, also for those of a group that is not complete yet.
    // Fails with errc::bad_message if the log is damaged; the message contains the line and its offset. Also
    // fails if the first line does not begin like a Config entry: then it is not a log.
    // `take_note`, if there is one, gets what attempts have used before they ended.
    base::Result<void> feed(std::string_view bytes, const Take& take, const TakeNote& take_note = {});

    // To be called at the end of the bytes.
    base::Result<Tail> finish() const;

    const std::string& name() const { return name_; }
    const Header& header() const { return header_; }
    // The offset of the line after it.
    std::uint64_t header_end() const { return header_end_; }
    // Null before the first line.
    const std::shared_ptr<const config::WorkflowConfig>& config() const { return config_; }
    // The offset of the entry's line, for `take`.
    std::uint64_t offset() const { return bytes_; }
    // How many tasks must still follow until the group is complete; while `take` is called, as before its
    // entry.
    std::uint64_t announced() const { return group_.announced; }
    // How many of the initial tasks have not come yet.
    std::uint64_t initial_left() const;

    // The error that the current entry `what`: "is missing".
    base::Error damage(const std::string& what) const;

  private:
    struct Group {
        workflow::TaskId completed;
        std::uint64_t start = 0;      // offset of its first byte
        std::uint64_t announced = 0;  // tasks that must still be submitted
        bool is_retry = false;
    };

    base::Result<void> keep(std::string_view rest);
    bool would_be_cut(std::string_view line) const;
    base::Result<void> take_line(std::string_view line, const Take& take, const TakeNote& take_note);
    base::Result<void> read_note(std::string_view line, const TakeNote& take_note);
    base::Result<void> take_header(std::string_view line);
    base::Result<void> take_record(std::string_view line, const Take& take);
    base::Error of_later_version(const Header& header) const;
    base::Error not_a_log() const;
    base::Result<void> check_checksum(std::string_view line, bool first_has_one) const;
    base::Result<void> check_order(const workflow::Entry& entry) const;
    void track_group(const workflow::Entry& entry);
    base::Error damage_or_edit(const std::string& what) const;

    std::string name_;
    Checksums checksums_;
    Header header_;
    std::shared_ptr<const config::WorkflowConfig> config_;
    std::string rest_;            // the beginning of a line whose newline has not arrived
    std::uint64_t left_out_ = 0;  // bytes of that line that are not kept, because it is no entry
    std::uint64_t lines_ = 0;     // complete ones
    std::uint64_t header_end_ = 0;
    std::uint64_t bytes_ = 0;  // in complete lines
    std::uint64_t initial_ = 0;
    Group group_;
};

// Whether the error reports damage.
bool is_damage(const base::Error& error);

}  // namespace statelog
