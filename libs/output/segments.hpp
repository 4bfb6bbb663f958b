// The sizes of a run's segments, and which of them are to be rewritten without the records that are not kept
// any more. Knows no records. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace output {

class Segments {
  public:
    // A segment of this size is full, and the next one begins.
    static constexpr std::size_t full_size = std::size_t{4} << 20;  // bytes

    // The segment of the records that are appended next: 1, 2, …
    std::uint32_t current() const { return current_; }

    // So many bytes were appended to the current segment.
    void grown(std::size_t size);
    // So many of the segment's bytes belong to records that are not kept any more.
    void dropped(std::uint32_t segment, std::size_t size);
    // The segment now has this size.
    void rewritten(std::uint32_t segment, std::size_t size);

    // A full segment, at least half of which is not kept any more. It is returned once.
    std::optional<std::uint32_t> take_due();
    // The output is complete: from now on every segment is due of which something is not kept.
    void finish();

  private:
    struct Segment {
        std::size_t size = 0;     // bytes
        std::size_t dropped = 0;  // bytes
    };
    void check(std::uint32_t number);

    std::uint32_t current_ = 1;
    std::map<std::uint32_t, Segment> segments_;
    std::set<std::uint32_t> due_;
    bool is_finished_ = false;
};

}  // namespace output
