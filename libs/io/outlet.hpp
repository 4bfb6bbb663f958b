// Where a program's log lines go out: a descriptor whose reader may be slow, stopped or gone. Nobody waits
// for it: what can't be written now is kept, up to a limit, and goes out with what comes next.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace io {

class Outlet {
  public:
    explicit Outlet(int fd) : fd_(fd) {}
    Outlet(const Outlet&) = delete;
    Outlet& operator=(const Outlet&) = delete;

    // A whole line, with its newline. Beyond 4 MiB of waiting text it is left out, and how many were is said
    // once the reader goes on.
    void put(std::string_view line);

    // Whether the reader has not taken all yet.
    bool has_waiting() const { return !waiting_.empty(); }

    // Waits for the reader, at most so long, until nothing is left.
    void flush(std::chrono::milliseconds longest);

  private:
    bool write_some(std::chrono::milliseconds patience);

    int fd_;
    std::string waiting_;
    std::size_t left_out_ = 0;
};

}  // namespace io
