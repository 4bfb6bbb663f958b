// Writes log lines and drawings to a pipe or a terminal whose reader may be slow, stopped or gone. Never
// waits for the reader: output that cannot be written is buffered, up to a limit, and written by later calls.
#pragma once

#include "io/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace io {

class NonblockingWriter {
  public:
    // `fd` must stay open while this object exists; its flags are not changed.
    explicit NonblockingWriter(int fd);
    NonblockingWriter(const NonblockingWriter&) = delete;
    NonblockingWriter& operator=(const NonblockingWriter&) = delete;

    // Writes a line, which ends with a newline. If more than 4 MiB are buffered, the line is dropped; the
    // number of dropped lines is written when the reader continues.
    void put(std::string_view line);

    // Tries to write the buffered output, and returns whether some is left.
    bool is_backed_up();

    // Whether the reader has gone for good; buffered output is dropped then.
    bool is_gone() const { return is_gone_; }

    // The errno of the last failed write; 0 if none has failed.
    int write_error() const { return write_error_; }

    // Waits until the reader has taken everything, but no longer than `longest`.
    void flush(std::chrono::milliseconds longest);

  private:
    bool write_some(std::chrono::milliseconds timeout);
    void write_at_once();

    UniqueFd own_;  // a terminal, opened again
    int fd_;
    std::size_t most_at_once_;
    bool is_gone_ = false;
    int write_error_ = 0;
    std::string waiting_;
    std::size_t left_out_ = 0;
};

}  // namespace io
