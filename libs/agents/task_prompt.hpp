// A task's content as the prompt for an agent's program (docs/task-protocol.md). Pure.
#pragma once

#include "agent_driver/prompt.hpp"
#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace agents {

// `content` is JSON text; `response_schema` is empty if the submitter has told none. Content that is not an
// object with a task and instructions is given to the program as it is.
agent_driver::Prompt task_prompt(std::string_view content, std::string response_schema);

// The paths of the task's images, as the content's "images" names them. Fails if that is no array of strings.
base::Result<std::vector<std::string>> image_paths(std::string_view content);

// The task's kind, which is the name of its step; "task" if the content does not tell it.
std::string task_kind(std::string_view content);

}  // namespace agents
