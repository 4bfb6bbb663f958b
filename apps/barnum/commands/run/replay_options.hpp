// The command line of `barnum replay` as a struct, and the options of its run that a replay repeats. Pure.
#pragma once

#include "cli/option_table.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace barnum {

struct ReplayOptions {
    std::string run;  // as given
    std::size_t task = 0;
    std::optional<std::string> value;         // path or text
    std::optional<std::string> instructions;  // path
    std::optional<std::string> pool;
    std::vector<std::string> agents;        // --agent
    std::optional<std::string> agent_exec;  // `sh -c` text
    bool no_agents = false;
    std::optional<std::string> transcripts;  // path

    // Agents of the replay's own, in place of the run's.
    bool has_agents() const { return !agents.empty() || agent_exec.has_value(); }
};

const cli::OptionTable<ReplayOptions>& replay_option_table();

// The replay as arguments of `barnum run`: `recorded`, the options in the record of its run, as far as they
// say where the pool is and which agents there are, and those of the replay in their place.
std::vector<std::string> run_arguments(const std::vector<std::string>& recorded,
                                       const ReplayOptions& options);

}  // namespace barnum
