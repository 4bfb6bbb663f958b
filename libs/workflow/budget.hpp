// Whether a run may give tasks to agents: what its budget is, and what of it is spent. A machine: it is told
// of what running attempts have used so far, if agents tell that, and of the ends of attempts, and it is
// complete without the former. Pure.
#pragma once

#include "config/workflow_config.hpp"
#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/agent_report.hpp"
#include "workflow/entry.hpp"
#include "workflow/usage.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace workflow {

struct BudgetUse {
    std::uint64_t tokens = 0;  // input and output
    double usd = 0;            // as far as prices are known
};

BudgetUse budget_use_of(const pool_protocol::AgentReport& report);
BudgetUse budget_use_of(const pool_protocol::AgentActivity& activity);

class Budget {
  public:
    // `before`: what the attempts before the run was resumed have used.
    Budget(config::BudgetLimits limits, const Usage& before);

    // The attempt has used this so far: its totals, which replace its earlier ones.
    void used(TaskId task, const BudgetUse& so_far);
    // Its agent does not have the task any more. If another one uses something for it, that is added.
    void agent_left(TaskId task);
    // The report of its last agent, which replaces that agent's totals, and those of all agents of the
    // attempt if it is about several. The attempt may go on.
    void reported(TaskId task, const pool_protocol::AgentReport& report);
    // The attempt has ended. Without a report, its totals stay.
    void ended(TaskId task, const std::optional<pool_protocol::AgentReport>& report);

    // Whether one of the limits is reached: nothing may be given to agents any more.
    bool is_spent() const;
    // True once, when the part `warn_at` of one of the limits is reached.
    bool take_warning();

    const BudgetUse& spent() const { return spent_; }
    // Limits with which the run can go on: twice those that are reached. A limit that is not reached, or that
    // there is not, is empty.
    config::BudgetLimits more() const;
    // "$12.30 of $25.00", "3000 of 5000 tokens", or both with ", "
    std::string text() const;

  private:
    bool reaches(double part) const;

    config::BudgetLimits limits_;
    BudgetUse spent_;
    struct Running {
        BudgetUse earlier;  // of the agents before the last one; counted in `spent_`
        BudgetUse so_far;   // of the last agent; counted in `spent_`
        bool has_left = false;
    };
    void replace(Running& running, const BudgetUse& so_far);

    std::unordered_map<TaskId, Running> running_;
    bool has_warned_ = false;
};

}  // namespace workflow
