#include "launch/keep_output.hpp"

#include "base/own_environment.hpp"

namespace launch {

std::shared_ptr<const output::Redaction> redaction_for(bool redacts, const config::WorkflowConfig& config) {
    if (!redacts) return std::make_shared<const output::Redaction>(std::vector<std::string>());
    output::Variables variables = base::own_environment();
    for (const config::Step& step : config.steps)
        variables.insert(variables.end(), step.env.begin(), step.env.end());
    return std::make_shared<const output::Redaction>(output::secrets_of(variables));
}

}  // namespace launch
