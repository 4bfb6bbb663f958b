#include "launch/run_options.hpp"

namespace launch {

base::Result<void> check_own_pool(const RunOptions& options) {
    if (!options.has_own_pool() || options.embedded_pool) return {};
    return base::invalid(
        "--no-embedded-pool cannot be combined with agents of the run's own unless --pool is given: without "
        "--pool the run hosts a pool for its agents (--agents, --agent, and those of the config, which "
        "--no-agents leaves out); give the pool that they are to serve with --pool");
}

std::optional<config::BudgetLimits> budget_of(const RunOptions& options,
                                              const config::WorkflowConfig& config) {
    if (!config.budget && !options.budget_usd && !options.budget_tokens) return std::nullopt;
    config::BudgetLimits budget = config.budget.value_or(config::BudgetLimits());
    if (options.budget_usd) budget.usd = options.budget_usd;
    if (options.budget_tokens) budget.tokens = options.budget_tokens;
    return budget;
}

config::Bounds bounds_of(const RunOptions& options, const config::WorkflowConfig& config) {
    config::Bounds bounds = config.bounds;
    if (options.bounds.max_tasks) bounds.max_tasks = options.bounds.max_tasks;
    if (options.bounds.max_depth) bounds.max_depth = options.bounds.max_depth;
    if (options.bounds.max_run_seconds) bounds.max_run_seconds = options.bounds.max_run_seconds;
    return bounds;
}

}  // namespace launch
