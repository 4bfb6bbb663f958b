// Where a response is in what an action printed (docs/task-protocol.md, "Text around the array"). Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string_view>

namespace config {

struct FoundResponse {
    std::string_view text;      // a part of the output
    bool is_taken_out = false;  // out of words, a code fence or an object around it
};

// The whole output. If it is not an array, and the step allows text around one (`lenient_response`), the last
// array of tasks in it, if there is one.
FoundResponse find_response(const Step& step, std::string_view output);

}  // namespace config
