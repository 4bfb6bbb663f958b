// What an earlier run leaves to a run or a replay that takes it up again: its options and its directory.
#pragma once

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "runs/run_lookup.hpp"

#include <string>
#include <vector>

namespace barnum {

// The arguments `recorded`, but for those of `options` that are given again, and then these, with absolute
// paths; and at last the option by which the run is taken up.
base::Result<std::vector<std::string>> arguments_for(const runs::NamedRun& run,
                                                     std::vector<std::string> recorded,
                                                     const std::vector<cli::Option>& options,
                                                     const cli::Options& given);

// Makes the directory in which the run was started the current one, if it is known: it is not if the run's
// record is damaged.
base::Result<void> enter_directory(const runs::NamedRun& run);

}  // namespace barnum
