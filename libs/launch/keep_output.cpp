#include "launch/keep_output.hpp"

#include "base/byte_size.hpp"
#include "base/own_environment.hpp"

namespace launch {

std::optional<KeepOutput> parse_keep_output(std::string_view text) {
    if (text == "all") return KeepOutput{};
    if (text == "none") return KeepOutput{false, std::nullopt};
    auto size = base::parse_byte_size(text);
    if (!size || *size == 0) return std::nullopt;
    return KeepOutput{true, static_cast<std::size_t>(*size)};
}

std::shared_ptr<const output::Redaction> redaction_for(bool redacts, const config::WorkflowConfig& config) {
    if (!redacts) return std::make_shared<const output::Redaction>(std::vector<std::string>());
    output::Variables variables = base::own_environment();
    for (const config::Step& step : config.steps)
        variables.insert(variables.end(), step.env.begin(), step.env.end());
    return std::make_shared<const output::Redaction>(output::secrets_of(variables));
}

}  // namespace launch
