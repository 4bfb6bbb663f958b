// Runs the workflow of an earlier run again, with the options that its record remembers.
#pragma once

#include "cli/command_line.hpp"
#include "launch/retry_choice.hpp"
#include "runs/run_lookup.hpp"

#include <optional>
#include <string>
#include <vector>

namespace barnum {

// The options of `barnum run` that the user may give again.
std::vector<cli::Option> options_to_run_again();

// Goes on with the run, in the directory in which it was started. Options in `given` win over those of the
// record; others than those above are ignored. `retries`: the dropped tasks to be tried again; none: the run
// is resumed.
int run_again(const runs::NamedRun& run, const cli::Options& given,
              const std::optional<launch::RetryChoice>& retries);

}  // namespace barnum
