// Reads the places in the values of a step that have the paths of images. Internal to config/load.
#pragma once

#include "config/problem_list.hpp"
#include "config/workflow_config.hpp"
#include "json/json.hpp"

#include <vector>

namespace config {

// `value` is an array. Reports each element that is not a JSON pointer, that occurs twice, or at which no
// value of the step can have the path of a file or an array of paths: its schema says so. Of the step, the
// name, the schema and the pre hook have been read.
std::vector<ValuePlace> read_image_places(json::View value, const Step& step, ProblemList& problems);

}  // namespace config
