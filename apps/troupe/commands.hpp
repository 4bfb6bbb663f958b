// The commands of troupe, as rows of its command table.
#pragma once

#include "cli/command_line.hpp"

namespace troupe {

cli::Command start_command();
cli::Command stop_command();
cli::Command list_command();
cli::Command status_command();
cli::Command top_command();
cli::Command submit_task_command();
cli::Command get_task_command();
cli::Command agent_command();
cli::Command accounts_command();
cli::Command protocol_command();

}  // namespace troupe
