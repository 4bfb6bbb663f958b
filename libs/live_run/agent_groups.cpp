#include "live_run/agent_groups.hpp"

#include "agents/start_check.hpp"
#include "base/text.hpp"
#include "config/agent_paths.hpp"
#include "config/pool_step.hpp"
#include "io/log.hpp"

#include <algorithm>
#include <map>

namespace live_run {

namespace {

using agent_driver::AgentGroup;
using agent_driver::AgentKind;

// A budget in dollars needs agents whose cost is known.
base::Result<void> check_budget(const launch::RunOptions& options, const config::WorkflowConfig& config) {
    auto budget = launch::budget_of(options, config);
    if (!budget || !budget->usd) return {};
    auto check = [](std::string_view origin, const AgentGroup& group) -> base::Result<void> {
        std::string why = agent_driver::unknown_cost(group.settings);
        if (why.empty()) return {};
        return base::invalid(
            base::concat(origin, ": the budget is in dollars, and ", why, ", or set a budget in tokens"));
    };
    for (const AgentGroup& group : options.agents)
        if (auto possible = check("--agent", group); !possible) return possible;
    if (!options.config_agents) return {};
    for (const AgentGroup& group : config.agents)
        if (auto possible = check("the config's agents", group); !possible) return possible;
    return {};
}

base::Result<void> check_number(const std::vector<AgentGroup>& groups) {
    std::size_t count = 0;
    for (const AgentGroup& group : groups)
        count += group.count;
    return agents::check_open_files(count);
}

std::string_view origin_of(const launch::RunOptions& options, std::size_t index) {
    return index == 0 && options.exec_agents > 0 ? "--agent-exec" : "--agent";
}

}  // namespace

base::Result<void> add_config_agents(launch::RunOptions& options, const config::WorkflowConfig& config) {
    if (auto possible = check_budget(options, config); !possible) return possible;
    for (std::size_t i = 0; i < options.agents.size(); ++i) {
        config::resolve_paths(options.agents[i].settings, options.directory);
        if (auto usable = agents::check_start(origin_of(options, i), options.agents[i].settings); !usable)
            return usable;
    }
    if (!options.config_agents) return check_number(options.agents);
    for (const AgentGroup& group : config.agents) {
        if (auto usable = agents::check_start("the config's agents", group.settings); !usable) return usable;
        options.agents.push_back(group);
    }
    if (auto fit = check_number(options.agents); !fit) return fit;
    return launch::check_own_pool(options);
}

void warn_of_labels(const launch::RunOptions& options, const config::WorkflowConfig& config) {
    if (!options.has_own_pool()) return;
    for (const config::Step& step : config.steps) {
        const base::Labels* labels = config::labels_of(step);
        auto fits = [&](const AgentGroup& group) { return offered_labels(group).fit(*labels); };
        if (labels == nullptr || std::ranges::any_of(options.agents, fits)) continue;
        io::log::warn(
            "no agent of this run ", config::needed_of_agents(step), ", which the Pool step ", step.name,
            options.fail_fast ? " requires: the run ends when it comes to one of its tasks"
                              : " requires: its tasks wait until the run is ended, and resumed with "
                                "other agents");
    }
}

std::string agent_name(AgentKind kind, std::size_t number) {
    return base::concat(kind == AgentKind::exec ? "agent" : agent_driver::kind_name(kind), "-", number);
}

std::vector<NamedAgent> agents_of(const std::vector<AgentGroup>& groups) {
    std::map<AgentKind, std::size_t> numbers;
    std::vector<NamedAgent> agents;
    for (const AgentGroup& group : groups) {
        AgentKind kind = group.settings.kind;
        std::size_t& number = numbers[kind];
        for (std::size_t i = 0; i < group.count; ++i)
            agents.push_back({agent_name(kind, ++number), &group});
    }
    return agents;
}

}  // namespace live_run
