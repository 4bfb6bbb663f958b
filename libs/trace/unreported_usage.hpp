// What agents have used by a state log that no report has told: of the attempts that have not ended, and of
// those that have ended without a report. Pure.
#pragma once

#include "workflow/running_usage.hpp"
#include "workflow/usage.hpp"

#include <cstdint>
#include <map>

namespace trace {

class UnreportedUsage {
  public:
    // The attempt at a task of the step, which has not ended, has used this so far.
    void noted(std::uint64_t attempt, config::StepId step, const workflow::AttemptUsage& used);
    void ended(std::uint64_t attempt, bool has_report);

    // The table has rows without the agents' kind.
    workflow::UsageTable table() const;
    // The version is another one after each change.
    std::uint64_t version() const { return version_; }

  private:
    struct Noted {
        config::StepId step;
        workflow::AttemptUsage used;
    };
    std::map<std::uint64_t, Noted> running_;  // by attempt
    workflow::UsageTable ended_;
    std::uint64_t version_ = 0;
};

}  // namespace trace
