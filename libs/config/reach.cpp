#include "config/reach.hpp"

#include "config/finally_steps.hpp"

#include <algorithm>

namespace config {

namespace {

using Links = std::vector<std::vector<StepId>>;  // for each step, the steps that can follow

// Marks the steps of `open` and all steps that are reachable from them.
std::vector<bool> reached_by(const Links& links, std::vector<StepId> open) {
    std::vector<bool> reached(links.size());
    for (StepId id : open)
        reached[id.value] = true;
    while (!open.empty()) {
        StepId at = open.back();
        open.pop_back();
        for (StepId next : links[at.value]) {
            if (reached[next.value]) continue;
            reached[next.value] = true;
            open.push_back(next);
        }
    }
    return reached;
}

// For each step, whether a terminal step is reachable from it.
std::vector<bool> can_reach_terminal(const WorkflowConfig& config) {
    Links before(config.steps.size());
    std::vector<StepId> terminal;
    for (std::uint32_t i = 0; i < config.steps.size(); ++i) {
        if (config.steps[i].next.empty()) terminal.push_back({i});
        for (StepId next : config.steps[i].next)
            before[next.value].push_back({i});
    }
    return reached_by(before, std::move(terminal));
}

// Rotates the cycle so that it begins with the step that comes first in the config.
std::vector<StepId> from_first(std::vector<StepId> cycle) {
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
    return cycle;
}

}  // namespace

std::optional<std::vector<bool>> reachable_from(const WorkflowConfig& config, StepId start) {
    Links links(config.steps.size());
    std::vector<bool> is_open(config.steps.size());
    for (std::size_t i = 0; i < config.steps.size(); ++i) {
        FinallySteps emitted = finally_steps(config, config.steps[i]);
        is_open[i] = emitted.is_open;
        links[i] = config.steps[i].next;
        links[i].insert(links[i].end(), emitted.named.begin(), emitted.named.end());
    }
    std::vector<bool> reached = reached_by(links, {start});
    for (std::size_t i = 0; i < reached.size(); ++i)
        if (reached[i] && is_open[i]) return std::nullopt;
    return reached;
}

std::vector<std::vector<StepId>> endless_cycles(const WorkflowConfig& config) {
    std::vector<std::vector<StepId>> found;
    std::vector<bool> settled = can_reach_terminal(config);
    for (std::uint32_t i = 0; i < config.steps.size(); ++i) {
        // None of these steps is terminal, so each has a next step.
        std::vector<StepId> path;
        StepId at{i};
        while (!settled[at.value]) {
            settled[at.value] = true;
            path.push_back(at);
            at = config.step(at).next.front();
        }
        auto again = std::ranges::find(path, at);
        if (again != path.end()) found.push_back(from_first({again, path.end()}));
    }
    return found;
}

}  // namespace config
