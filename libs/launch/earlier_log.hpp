// The state log of an earlier run, from which a new one goes on. Blocking.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "statelog/log_file.hpp"
#include "statelog/replay.hpp"

#include <memory>
#include <string>

namespace launch {

// Waits until the commands of a killed run have ended, which still hold the log, and says so; and for a
// second if another process holds it. Refuses a log that another user may have written: the commands are
// those of the config in it.
base::Result<statelog::OldLog> open_earlier_log(const std::string& path);

// Logs what the end of the log lacks.
void warn_of_tail(const std::string& path, const statelog::Tail& tail);

// The config of a log, with a directory of its commands that can be used. `current`: the current directory,
// which serves if the log does not say where commands run; a warning is logged then.
base::Result<std::shared_ptr<const config::WorkflowConfig>> config_to_continue(
    std::shared_ptr<const config::WorkflowConfig> config, const std::string& current);

}  // namespace launch
