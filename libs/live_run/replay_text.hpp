// What `barnum replay` prints: a response, and how a result differs from the recorded one. Pure.
#pragma once

#include "config/response.hpp"
#include "config/workflow_config.hpp"
#include "workflow/machine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace live_run {

// The JSON array that the response is, for people; ends with a newline.
std::string response_text(const config::WorkflowConfig& config, const std::vector<config::NewTask>& response);

// How the replay's result differs from the recorded one, which is empty if the recorded attempt has not
// ended. Ends with a newline. The replay's failure itself is not in it.
std::string comparison(const config::WorkflowConfig& config,
                       const std::optional<workflow::AttemptResult>& recorded,
                       const workflow::AttemptResult& replayed, bool colored);

}  // namespace live_run
