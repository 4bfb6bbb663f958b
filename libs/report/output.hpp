// What a report contains of the kept output of a run: of each attempt the beginning and the end.
#pragma once

#include "base/error.hpp"
#include "output/lines.hpp"
#include "output/source.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

namespace report {

// How many bytes of output the report contains of an attempt.
struct OutputLimits {
    std::size_t failed = 0;  // of one that failed
    std::size_t others = 0;
};

// The limits with which the output of so many attempts leaves room for everything else.
OutputLimits output_limits(std::size_t failed, std::size_t others);

class ReportOutput {
  public:
    // The attempt with this number is contained, with so many bytes of its output.
    void want(std::uint64_t attempt, std::size_t limit) { attempts_[attempt].limit = limit; }

    // Reads the output in this directory. Without the directory there is none.
    base::Result<void> read(const std::string& directory);

    // The lines of an attempt as elements of a JSON array, each followed by a comma.
    std::string take(std::uint64_t attempt);

  private:
    // A line, or a part of one, as JSON: what all lines of its source begin with, and the rest.
    struct Item {
        std::string prefix;
        std::string rest;
        std::size_t size = 0;     // what it counts for the limit, in bytes
        std::uint64_t bytes = 0;  // of the output
    };
    struct Kept {
        std::size_t limit = 0;
        std::string begin = {};  // the first lines
        std::size_t begin_size = 0;
        std::deque<Item> end = {};  // the last lines
        std::size_t end_size = 0;
        std::string left_out_prefix = {};  // between the two
        std::uint64_t left_out = 0;        // bytes
    };
    static Item item_of(const output::Source& source, const output::Line& line, std::size_t most);
    void add(const output::Source& source, const output::Line& line);

    std::unordered_map<std::uint64_t, Kept> attempts_;
};

}  // namespace report
