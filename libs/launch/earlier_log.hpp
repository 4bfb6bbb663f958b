// The state log of an earlier run, from which a new one goes on. Blocking.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "statelog/log_file.hpp"
#include "statelog/replay.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace launch {

// For how long a log that another process holds is waited for. A command that keeps a person's answer, or
// removes the run, holds it for a moment only, which may be long on a busy machine.
constexpr std::chrono::seconds wait_of_run{3};
constexpr std::chrono::seconds wait_of_answer{1};  // a run holds it until its end

// Waits until the commands of a killed run have ended, which still hold the log, and says so; and so long if
// another process holds it. Refuses a log that another user may have written: the commands are those of the
// config in it.
base::Result<statelog::OldLog> open_earlier_log(const std::string& path, std::chrono::seconds longest_use);

// Logs what the end of the log lacks.
void warn_of_tail(const std::string& path, const statelog::Tail& tail);

// The config of a log, with a directory of its commands that can be used. `current`: the current directory,
// which serves if the log does not say where commands run; a warning is logged then.
base::Result<std::shared_ptr<const config::WorkflowConfig>> config_to_continue(
    std::shared_ptr<const config::WorkflowConfig> config, const std::string& current);

}  // namespace launch
