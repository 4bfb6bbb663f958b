// Whether of one stream everything is there that is to be kept. It is given the stream's records in their
// order. Pure.
#pragma once

#include "output/record.hpp"

#include <cstdint>
#include <optional>

namespace output {

class StreamCheck {
  public:
    // `limit`: of the first and of the last bytes, so many are kept; 0: all. None: nobody knows it, and every
    // gap may be of what is not kept.
    explicit StreamCheck(std::optional<std::uint64_t> limit) : limit_(limit) {}

    // How many bytes are missing before the record, or at the end if the stream ends with it.
    std::uint64_t add(const Record& record);

    // The record without what those before it had. Nothing if it says nothing new: somebody has copied it.
    std::optional<Record> without_repeated(Record record) const;

  private:
    std::uint64_t missing_at_end(std::uint64_t size) const;

    std::optional<std::uint64_t> limit_;
    std::uint64_t end_ = 0;  // of the last record
    bool has_ended_ = false;
    // The last gap of which it is not known before the stream's end whether it was to be kept.
    struct {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    } dropped_;
};

}  // namespace output
