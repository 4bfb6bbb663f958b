// Reads lists of texts from a config. Internal to config/load.
#pragma once

#include "base/labels.hpp"
#include "config/problem_list.hpp"
#include "config/workflow_config.hpp"
#include "json/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace config {

// `value` is an array; reports each element that is not a label, that is the reserved one, or that occurs
// twice.
base::Labels read_labels(json::View value, ProblemList& problems);

// `value` is the array `name`; reports each element that is not a string.
std::vector<std::string> read_texts(json::View value, std::string_view name, ProblemList& problems);

// `value` is a string, which `what` names in messages; reports it if it is not a JSON pointer.
std::optional<ValuePlace> read_place(json::View value, std::string_view what, ProblemList& problems);

// NAME=VALUE for each member of the object `name`; reports names that no variable can have, names that occur
// twice, and values that are not strings. With Nulls::are_names, a member that is null gives its NAME alone.
enum class Nulls { are_problems, are_names };
std::vector<std::string> read_variables(json::View value, std::string_view name, ProblemList& problems,
                                        Nulls nulls = Nulls::are_problems);

}  // namespace config
