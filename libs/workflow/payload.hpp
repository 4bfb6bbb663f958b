// The JSON that an action gets (task-format.txt). Values go in as they are (R22). Pure text; sends nothing.
#pragma once

#include "config/workflow_config.hpp"

#include <string>
#include <string_view>

namespace workflow {

// {"kind":"<step>","value":<value>}: the stdin of a Command.
std::string command_input(const config::Step& step, std::string_view value);

// {"task":{…},"instructions":"…","timeout_seconds":N}: the content of a pool submission. The last only where
// the step has a timeout, in the digits of the config.
std::string pool_payload(const config::Step& step, std::string_view value);

}  // namespace workflow
