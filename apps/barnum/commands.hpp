// The commands of barnum, as rows of its command table.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command run_command();
cli::Command ps_command();
cli::Command attach_command();
cli::Command wait_command();
cli::Command pause_command();
cli::Command continue_command();
cli::Command scale_command();
cli::Command todo_command();
cli::Command answer_command();
cli::Command cancel_command();
cli::Command resume_command();
cli::Command retry_command();
cli::Command logs_command();
cli::Command inspect_command();
cli::Command report_command();
cli::Command replay_command();
cli::Command why_command();
cli::Command rm_command();
cli::Command prune_command();
cli::Command serve_command();
cli::Command mcp_command();
cli::Command config_command();

}  // namespace barnum
