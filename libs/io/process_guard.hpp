// A process beside this one that does nothing but wait for this one's end. Should that come without a word,
// by SIGKILL or a crash, it kills what was left running (R36). It doesn't watch over a process that ends in
// order.
#pragma once

#include "base/error.hpp"
#include "io/marked_processes.hpp"
#include "io/unique_fd.hpp"

namespace io {

class ProcessGuard {
  public:
    // From now on every process that carries all of `variables` dies with this one, within 2 s. Call it while
    // the process has one thread and no event loop.
    static base::Result<ProcessGuard> start(const Environment& variables);

    // Lets the guard go: nothing is killed.
    ~ProcessGuard();
    ProcessGuard(ProcessGuard&& other) noexcept;
    ProcessGuard& operator=(ProcessGuard&&) = delete;

  private:
    ProcessGuard(int pid, UniqueFd alive) : pid_(pid), alive_(std::move(alive)) {}

    int pid_;
    UniqueFd alive_;  // the guard reads its other end
};

}  // namespace io
