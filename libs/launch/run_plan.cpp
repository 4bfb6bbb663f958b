#include "launch/run_plan.hpp"

#include <algorithm>

namespace launch {

bool has_pool_steps(const config::WorkflowConfig& config) {
    return std::ranges::any_of(config.steps, [](const config::Step& step) { return step.is_pool(); });
}

}  // namespace launch
