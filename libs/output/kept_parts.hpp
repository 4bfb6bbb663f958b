// Which records of a growing series are kept: the first ones and the last ones, within limits. Knows the
// sizes of records, not their texts. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace output {

// How many bytes a record has at most. The last bytes of a stream are kept in whole records, so these are
// small beside the limit.
std::size_t longest_record_with(std::optional<std::size_t> limit);

class KeptParts {
  public:
    struct Limits {
        std::size_t head = 256 * 1024;  // bytes of records at the beginning
        std::size_t tail = 256 * 1024;  // bytes of records at the end; the last record in any case
    };
    struct Record {
        std::size_t size = 0;     // counts against the limits, in bytes
        std::size_t content = 0;  // of `size`: what is counted if the record is dropped, in bytes
        std::uint32_t place = 0;  // the owner's: where it has written the record
    };

    explicit KeptParts(Limits limits) : limits_(limits) {}

    // The record follows those before it. The head ends with the first record that does not fit into it.
    void add(const Record& record);
    // Drops the oldest records after the head, and returns them, if those after the head exceed twice the
    // limit: rarely, because dropping may be expensive.
    std::vector<Record> drop() { return drop_above(2 * limits_.tail); }
    // Does what drop() does, but already if they exceed the limit: for the end of the series.
    std::vector<Record> drop_last() { return drop_above(limits_.tail); }

    std::size_t head() const { return head_; }       // bytes
    std::size_t tail() const { return tail_size_; }  // bytes of all kept records after the head
    // How many bytes the next record may have to be a part of the head; 0 after the head.
    std::size_t room_in_head() const { return tail_.empty() ? limits_.head - head_ : 0; }
    std::size_t dropped_content() const { return dropped_content_; }  // bytes
    std::size_t dropped_records() const { return dropped_records_; }

  private:
    std::vector<Record> drop_above(std::size_t most);

    Limits limits_;
    std::size_t head_ = 0;
    std::deque<Record> tail_;
    std::size_t tail_size_ = 0;
    std::size_t dropped_content_ = 0;
    std::size_t dropped_records_ = 0;
};

}  // namespace output
