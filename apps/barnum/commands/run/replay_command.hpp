// `barnum replay`: makes one attempt at a task of a run again, alone, and compares its response with the
// recorded one. Changes neither the run nor its state log.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command replay_command();

}  // namespace barnum
