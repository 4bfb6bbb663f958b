// The commands of troupe, as rows of its command table.
#pragma once

#include "cli/command_line.hpp"
#include "engine_settings.hpp"

namespace troupe {

// Without `prepare_engine`, pools over many hosts are left to the program that has one (edge_program.hpp).
cli::Command start_command(PrepareEngine prepare_engine);
cli::Command stop_command();
cli::Command list_command();
cli::Command status_command();
cli::Command top_command();
cli::Command kick_command();
cli::Command queue_command();
cli::Command submit_task_command();
cli::Command get_task_command();
cli::Command agent_command();
cli::Command accounts_command();
cli::Command mcp_command();
cli::Command protocol_command();
// `prepare_engine`: as in start_command().
cli::Command engine_command(PrepareEngine prepare_engine);

}  // namespace troupe
