// The newest lines of a task's output that are to be sent, as JSON. Bounded: if there are more, the oldest
// ones are left out. Pure.
#pragma once

#include "output/lines.hpp"
#include "output/source.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace serve {

class OutputWindow {
  public:
    // `most`: bytes of JSON.
    explicit OutputWindow(std::size_t most) : most_(most) {}

    void add(const output::Source& source, const output::Line& line);

    bool empty() const { return lines_.empty(); }
    // {"lines":[…]}, of which none are left then. What was left out stands first, as `omitted` bytes.
    std::string take();

  private:
    struct Line {
        std::string json;
        std::size_t members = 0;  // the length of what it says of its source
        std::uint64_t bytes = 0;  // of output
    };

    std::size_t most_;
    std::size_t size_ = 0;
    std::deque<Line> lines_;
    std::uint64_t omitted_ = 0;
    std::string omitted_of_;  // the members of the last line that was left out
};

}  // namespace serve
