// `barnum run`, as other commands call it.
#pragma once

#include "cli/command_line.hpp"
#include "launch/retry_choice.hpp"

#include <optional>

namespace barnum {

// Does what `barnum run` does with these options, which resume a run. Refuses one that has been resumed
// already. `retries`: a new run tries these dropped tasks of that one again.
int run_newest(const cli::Options& given, const std::optional<launch::RetryChoice>& retries);

}  // namespace barnum
