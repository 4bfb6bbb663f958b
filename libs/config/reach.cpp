#include "config/reach.hpp"

#include "config/finally_steps.hpp"

#include <algorithm>
#include <utility>

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

// The links by `next`, and by the tasks of a `finally` as far as its script names their steps.
Links all_links(const WorkflowConfig& config) {
    Links links(config.steps.size());
    for (std::size_t i = 0; i < config.steps.size(); ++i) {
        links[i] = config.steps[i].next;
        auto emitted = finally_steps(config, config.steps[i]).named;
        links[i].insert(links[i].end(), emitted.begin(), emitted.end());
    }
    return links;
}

// The shortest way from the step back to itself; empty if there is none.
std::vector<StepId> cycle_through(const Links& links, StepId start) {
    std::vector<std::optional<StepId>> before(links.size());
    std::vector<StepId> open{start};
    for (std::size_t at = 0; at < open.size() && !before[start.value]; ++at)
        for (StepId next : links[open[at].value]) {
            if (before[next.value]) continue;
            before[next.value] = open[at];
            open.push_back(next);
        }
    if (!before[start.value]) return {};
    std::vector<StepId> cycle;
    for (StepId at = *before[start.value]; at != start; at = *before[at.value])
        cycle.push_back(at);
    cycle.push_back(start);
    std::ranges::reverse(cycle);
    return cycle;
}

}  // namespace

std::optional<std::vector<bool>> reachable_from(const WorkflowConfig& config, std::vector<StepId> starts) {
    std::vector<bool> reached = reached_by(all_links(config), std::move(starts));
    for (std::size_t i = 0; i < reached.size(); ++i)
        if (reached[i] && finally_steps(config, config.steps[i]).is_open) return std::nullopt;
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

std::vector<std::vector<StepId>> cycles(const WorkflowConfig& config) {
    Links links = all_links(config);
    for (std::size_t i = 0; i < links.size(); ++i)
        if (config.steps[i].is_human()) links[i].clear();
    std::vector<std::vector<StepId>> found;
    std::vector<bool> settled(config.steps.size());
    for (std::uint32_t i = 0; i < config.steps.size(); ++i) {
        if (settled[i]) continue;
        auto cycle = cycle_through(links, {i});
        if (cycle.empty()) continue;
        // Among the steps that can be reached from here, those that lead back here are of the same group.
        std::vector<bool> reached = reached_by(links, {{i}});
        for (std::uint32_t other = i; other < config.steps.size(); ++other)
            if (reached[other] && reached_by(links, {{other}})[i]) settled[other] = true;
        found.push_back(std::move(cycle));
    }
    return found;
}

}  // namespace config
