// What the agents of a run have used, for its progress.
#pragma once

#include "progress/spending.hpp"
#include "workflow/budget.hpp"
#include "workflow/usage.hpp"

#include <cstddef>
#include <vector>

namespace displays {

// `rows`: by StepId, the steps of the progress' model. `budget`: null if there is none. Takes time in
// proportion to the rows of `usage`, of which there are few.
progress::Spending spending_of(const workflow::UsageTable& usage, const workflow::Budget* budget,
                               const std::vector<std::size_t>& rows);

}  // namespace displays
