// Reads many single lines of a state log, most of them near lines that were read before. Blocking.
#pragma once

#include "base/error.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace statelog {

// Keeps some parts of the file, so that lines that are near each other take one system call: tasks and their
// ends may be far apart. What it has read stays as it was then: a log only grows.
class LineReader {
  public:
    // `fd` must stay open; `path` is used in messages.
    LineReader(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

    // Does what read_line() of statelog/log_use.hpp does.
    base::Result<std::string> read(std::uint64_t offset);

  private:
    struct Part {
        std::string text;
        std::uint64_t begin = 0;  // its offset in the file
        std::uint64_t used = 0;   // when it was last looked into
    };
    base::Result<void> fill(Part& part, std::uint64_t offset);
    // The one that contains this byte, or else the one that was not looked into for the longest time.
    Part& part_for(std::uint64_t offset);

    int fd_;
    std::string path_;
    std::array<Part, 8> parts_;
    std::uint64_t uses_ = 0;
};

}  // namespace statelog
