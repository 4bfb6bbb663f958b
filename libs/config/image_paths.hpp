// The images of a task, as an agent is told them. Pure.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"

#include <string>
#include <string_view>

namespace config {

// A JSON array of the paths to which the "images" of the step lead in the value, in their order; "" if the
// step has none, or if its action is none of the pool. Fails if one of them leads to nothing, or to something
// else than a string or an array of strings.
base::Result<std::string> image_paths(const Step& step, std::string_view value);

// Fails for a value with which a task of the step would begin in vain. A pre hook may still change it.
base::Result<void> check_image_paths(const Step& step, std::string_view value);

}  // namespace config
