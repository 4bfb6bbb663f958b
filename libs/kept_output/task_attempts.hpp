// The numbers of a task's attempts, which the state log knows. Blocking.
#pragma once

#include "output/source.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace kept_output {

class TaskAttempts {
  public:
    // `task` is the number of any attempt of a task in the state log.
    TaskAttempts(std::string log, std::uint64_t task) : log_(std::move(log)), task_(task) {}

    // The log says that there is no such task. False if it cannot be read.
    bool is_unknown();
    // Reads the log again if the source may be a later attempt that is not known yet.
    bool contains(const output::Source& source);

  private:
    void read();

    std::string log_;
    std::uint64_t task_;
    std::set<std::uint64_t> attempts_;
    std::uint64_t last_number_ = 0;  // of all attempts in the log, when it was read
    bool was_read_ = false;
};

}  // namespace kept_output
