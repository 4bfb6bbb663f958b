// A run whose results another run reuses: reads its log once, and parts of it again for large values. The run
// may be in any state, also running; its log is neither locked nor changed.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "io/unique_fd.hpp"
#include "reuse/results.hpp"
#include "statelog/record.hpp"
#include "workflow/machine.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace reuse {

class ReusedRun {
  public:
    // Reads the log at `source.state_log`; `config` is that of the new run. If `source` has no id, it gets
    // that of the log. Damage is errc::bad_message (statelog::is_damage()).
    static base::Result<ReusedRun> read(statelog::Reuses source,
                                        std::shared_ptr<const config::WorkflowConfig> config);

    const statelog::Reuses& source() const { return source_; }
    const config::WorkflowConfig& config() const { return *earlier_; }
    const Results& results() const { return results_; }

    // Does what Results::take() does. If the log can no longer be read, it warns, and there are no more
    // results.
    std::optional<workflow::EarlierResult> take(const workflow::Task& task);

    // Results that a run took before it was resumed.
    void mark_taken(const std::vector<workflow::TaskId>& tasks) { results_.mark_taken(tasks); }

    // The failure in the line at this offset.
    base::Result<workflow::Failure> failure_at(std::uint64_t offset) const;

  private:
    ReusedRun(statelog::Reuses source, std::shared_ptr<const config::WorkflowConfig> config, io::UniqueFd fd)
        : source_(std::move(source)), config_(std::move(config)), fd_(std::move(fd)), results_(*config_) {}
    base::Result<void> replay();
    base::Result<std::string> read_line(std::uint64_t offset) const;

    statelog::Reuses source_;
    std::shared_ptr<const config::WorkflowConfig> config_;
    std::shared_ptr<const config::WorkflowConfig> earlier_;
    io::UniqueFd fd_;
    Results results_;
    bool has_failed_ = false;
};

}  // namespace reuse
