// What a Command writes to stderr, as its agent tells it: the beginning and the end, and the last line for
// those who watch. Pure.
#pragma once

#include "base/line_splitter.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace agents {

class CommandOutput {
  public:
    static constexpr std::size_t most_kept = std::size_t{1} << 20;  // bytes of the beginning
    static constexpr std::size_t longest_line = 200;                // bytes of the last line

    // Returns the last line that is complete now and has words, if one is new.
    std::optional<std::string> add(std::string_view piece);

    // All of the output, or its beginning, how much was left out, and its end. `tail` is the end of what was
    // added, at least as long as there is any left of it.
    std::string text(std::string_view tail) const;

  private:
    base::LineSplitter lines_{longest_line};
    std::string beginning_;
    std::size_t size_ = 0;  // of all
};

}  // namespace agents
