// Adds up what the phases of an attempt took, and what its local processes have used. Pure.
#pragma once

#include "process/child_result.hpp"
#include "workflow/attempt.hpp"
#include "workflow/entry.hpp"

#include <chrono>
#include <memory>

namespace runner {

class Measurement {
  public:
    using Duration = std::chrono::steady_clock::duration;

    void add_script(workflow::Phase phase, Duration time, const process::ChildUse& use);
    void add_pool(Duration time);

    // Null if there was no local process: then the attempt's start and end say all.
    std::shared_ptr<const workflow::Measured> result() const;

  private:
    workflow::Measured sum_;
    std::chrono::microseconds cpu_{};
    bool has_run_script_ = false;
};

}  // namespace runner
