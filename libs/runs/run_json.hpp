// What is known of a run, as JSON for programs and pages.
#pragma once

#include "runs/run_directories.hpp"
#include "runs/run_state.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace runs {

// The record, with the name of the config's file as "workflow", and with what is known only now: "path",
// "state" and "resumable", and "bytes", that the run takes on the disk, if they are given. It is on one line.
std::string run_json(const FoundRun& run, RunState state, std::optional<std::uint64_t> bytes = std::nullopt);

// The name of the config's file; "" if the config is none.
std::string workflow_name(const RunRecord& record);

}  // namespace runs
