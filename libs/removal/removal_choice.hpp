// Which runs `barnum rm` and `barnum prune` remove. Blocking: reads the records of all runs of this user.
#pragma once

#include "runs/prune.hpp"
#include "runs/run_directories.hpp"

#include <string>
#include <vector>

namespace removal {

// The runs of `found` that the rule removes.
std::vector<runs::FoundRun> runs_to_prune(std::vector<runs::FoundRun> found, const runs::PruneRule& rule);

// Says why these runs cannot be removed without another one; empty if they can. A run in the middle of a
// chain of resumed runs cannot: the one before it could be resumed again.
std::string why_not_removed(const std::vector<runs::FoundRun>& found);

// A line for each run that a removed one had continued, and that is still there: it can be resumed again.
std::vector<std::string> earlier_runs_left(const std::vector<runs::FoundRun>& removed);

}  // namespace removal
