// The process of a run, seen by another process of the same user.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"
#include "runs/run_record.hpp"

#include <chrono>
#include <optional>

namespace runs {

class RunProcess {
  public:
    // None if exactly this process is not there, on this machine.
    static std::optional<RunProcess> open(const ProcessIdentity& process);

    // Cannot reach a later process with the same pid. No error if the process has ended meanwhile.
    base::Result<void> signal(int number) const;
    // Does what signal() does, and lets a suspended process go on, which would not see the signal.
    base::Result<void> signal_and_continue(int number) const;

    // Blocks until the process has ended, or for `longest`; without it, for any time. Returns whether it has
    // ended.
    bool wait(std::optional<std::chrono::milliseconds> longest = std::nullopt) const;

  private:
    explicit RunProcess(io::UniqueFd fd) : fd_(std::move(fd)) {}

    io::UniqueFd fd_;  // a pidfd
};

}  // namespace runs
