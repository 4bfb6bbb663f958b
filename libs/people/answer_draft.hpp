// The value that a person is offered to edit, to answer with a task of a step. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string>
#include <string_view>

namespace people {

// Returns JSON for people. That is `own`, the value of the task that is answered, if it matches the step's
// schema: the most usual answer passes it on, changed or not. Otherwise it is a value made up from the
// schema, or {} if none is found.
std::string answer_draft(const config::Step& step, std::string_view own);

}  // namespace people
