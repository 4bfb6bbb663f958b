#include "launch/find_step.hpp"

#include "base/text.hpp"
#include "json/suggest.hpp"

#include <string_view>
#include <vector>

namespace launch {

base::Result<config::StepId> find_step(const std::string& name, const config::WorkflowConfig& config) {
    if (auto step = config.find(name)) return *step;
    std::vector<std::string_view> names;
    for (const config::Step& step : config.steps)
        names.push_back(step.name);
    return base::invalid(base::concat("the run has no step \"", name, '"', json::did_you_mean(name, names)));
}

}  // namespace launch
