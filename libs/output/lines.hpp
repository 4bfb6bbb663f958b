// The lines of which records consist, and what was left out between them. Pure.
#pragma once

#include "output/record.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace output {

// A line, or bytes that were left out.
struct Line {
    std::uint64_t source = 0;
    Stream stream = Stream::out;
    Time time;                  // when its beginning was written; of what was left out: what follows
    std::string_view text;      // without its newline
    std::uint64_t omitted = 0;  // bytes; 0: this is a line
};

class Lines {
  public:
    // A longer line is handed over in pieces of this size.
    static constexpr std::size_t longest_line = std::size_t{1} << 20;  // bytes

    // `use` is called with each line; its text is valid during the call.
    explicit Lines(std::function<void(const Line&)> use) : use_(std::move(use)) {}

    // The records in the order in which they were written.
    void add(const Record& record);
    // There are no more records: also the lines without a newline.
    void finish();

  private:
    struct Partial {
        std::string text;  // the beginning of a line
        Time time;
        std::uint64_t offset = 0;  // of the bytes that come next
    };
    void split(const Record& record, Partial& partial);
    void end_line(std::uint64_t source, Stream stream, Partial& partial);

    std::function<void(const Line&)> use_;
    std::unordered_map<std::uint64_t, Partial> partial_;  // by source and stream
};

}  // namespace output
