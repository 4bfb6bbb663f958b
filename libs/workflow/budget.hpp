// Whether a run may give tasks to agents: what its budget is, and what of it is spent. It knows sums only:
// workflow/running_usage adds up what the attempts have used that have not ended. Pure.
#pragma once

#include "config/workflow_config.hpp"
#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/agent_report.hpp"
#include "workflow/usage.hpp"

#include <cstdint>
#include <string>

namespace workflow {

struct BudgetUse {
    std::uint64_t tokens = 0;  // input and output
    double usd = 0;            // as far as prices are known
    bool is_estimate = false;  // some of them are those of a public list

    friend bool operator==(const BudgetUse&, const BudgetUse&) = default;
};

BudgetUse budget_use_of(const pool_protocol::AgentReport& report);
BudgetUse budget_use_of(const pool_protocol::AgentActivity& activity);

class Budget {
  public:
    // `before`: what has been used before.
    Budget(config::BudgetLimits limits, const Usage& before);

    // An attempt has ended, which has used this in all.
    void ended(const BudgetUse& used);
    // All attempts that have not ended have used this so far, which replaces what they had used before.
    void running(const BudgetUse& used);

    // Whether one of the limits is reached: nothing may be given to agents any more.
    bool is_spent() const;
    // True once, when the part `warn_at` of one of the limits is reached.
    bool take_warning();

    BudgetUse spent() const {
        return {ended_.tokens + running_.tokens, ended_.usd + running_.usd,
                ended_.is_estimate || running_.is_estimate};
    }
    // Limits with which the run can go on: twice those that are reached. A limit that is not reached, or that
    // there is not, is empty.
    config::BudgetLimits more() const;
    // "$12.30 of $25.00", "about $12.30 of $25.00", "3000 of 5000 tokens", or both with ", "
    std::string text() const;

  private:
    bool reaches(double part) const;

    config::BudgetLimits limits_;
    BudgetUse ended_;
    BudgetUse running_;
    bool has_warned_ = false;
};

}  // namespace workflow
