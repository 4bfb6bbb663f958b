// The parameters of a run (`barnum run -p`), which build the value of its first task member by member. Pure.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"

#include <set>
#include <string>
#include <vector>

namespace launch {

struct Parameters {
    std::string value;              // a JSON object, compact
    std::set<std::string> as_text;  // the names of those that were given as text, not as JSON
};

// Each text is "name=text" or "name:=json" (JSONC). Fails if a name occurs twice.
base::Result<Parameters> parse_parameters(const std::vector<std::string>& texts);

// Fails if the value does not match the schema of `step`. The message says which parameter is wrong.
base::Result<void> check_parameters(const Parameters& parameters, const config::Step& step);

// A sentence for each name that the schema permits but does not describe, and that is probably a misspelling
// of one that it describes.
std::vector<std::string> doubtful_names(const Parameters& parameters, const config::Step& step);

}  // namespace launch
