#include "config/pool_step.hpp"

#include "base/text.hpp"

namespace config {

namespace {

const base::Labels& shell_labels() {
    static const base::Labels labels = base::Labels().with_shell_label().value();
    return labels;
}

}  // namespace

std::string needed_of_agents(const Step& step) {
    const base::Labels& labels = *labels_of(step);
    return labels.empty() ? "is of another kind than shell" : "has " + labels.description();
}

std::string agent_text(const Step& step) {
    base::Labels labels = labels_of(step)->without(shell_labels());
    std::string_view agent =
        command_of(step) != nullptr ? "an agent of the kind shell" : "an agent of the pool";
    return base::concat(agent, labels.empty() ? "" : " that has " + labels.description());
}

}  // namespace config
