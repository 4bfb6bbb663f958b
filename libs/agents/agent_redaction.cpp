#include "agents/agent_redaction.hpp"

#include "base/own_environment.hpp"

#include <string>
#include <vector>

namespace agents {

std::shared_ptr<const output::Redaction> redaction_for(const AgentOptions& options,
                                                       const output::Variables& further) {
    if (options.redacts) return redaction_for(options.group.settings, further);
    return std::make_shared<const output::Redaction>(std::vector<std::string>());
}

std::shared_ptr<const output::Redaction> redaction_for(const agent_driver::Settings& settings,
                                                       const output::Variables& further) {
    output::Variables variables = base::own_environment();
    for (const agent_driver::Variable& variable : settings.env)
        variables.emplace_back(variable.name, variable.value);
    variables.insert(variables.end(), further.begin(), further.end());
    return std::make_shared<const output::Redaction>(output::secrets_of(variables));
}

}  // namespace agents
