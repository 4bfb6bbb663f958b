// Where a program's log lines and drawings go out: a pipe or a terminal whose reader may be slow, stopped or
// gone. Nobody waits for it: what can't be written now is kept, up to a limit, and goes out with what comes
// next.
#pragma once

#include "io/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace io {

class NonblockingWriter {
  public:
    // `fd` stays open for as long; what it is and its flags are left alone.
    explicit NonblockingWriter(int fd);
    NonblockingWriter(const NonblockingWriter&) = delete;
    NonblockingWriter& operator=(const NonblockingWriter&) = delete;

    // A whole line, with its newline. Beyond 4 MiB of waiting text it is left out, and how many were is said
    // once the reader goes on.
    void put(std::string_view line);

    // Whether the reader still leaves something waiting, now that it has been offered once more.
    bool is_backed_up();

    // Nobody will ever read it: what waited is gone, too.
    bool is_gone() const { return is_gone_; }

    // Of the last write that failed, as errno has it; 0 if none ever did.
    int write_error() const { return write_error_; }

    // Waits for the reader, at most so long, until nothing is left.
    void flush(std::chrono::milliseconds longest);

  private:
    bool write_some(std::chrono::milliseconds patience);
    void write_at_once();

    UniqueFd own_;  // a terminal, opened once more
    int fd_;
    std::size_t most_at_once_;
    bool is_gone_ = false;
    int write_error_ = 0;
    std::string waiting_;
    std::size_t left_out_ = 0;
};

}  // namespace io
