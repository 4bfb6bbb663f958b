// Changes how many agents a run has.
#include "agents/start_check.hpp"
#include "base/text.hpp"
#include "live_run/run_agents.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace live_run {

using agent_driver::AgentGroup;

namespace {

std::string kinds_of(const std::vector<AgentGroup>& groups) {
    std::string text;
    for (const AgentGroup& group : groups)
        text += base::concat(text.empty() ? "" : ", ", agent_driver::kind_name(group.settings.kind));
    return text;
}

}  // namespace

base::Result<const AgentGroup*> RunAgents::find_group(const std::string& kind) const {
    const AgentGroup* found = nullptr;
    std::size_t count = 0;
    for (const AgentGroup& group : options_.agents) {
        if (!kind.empty() && agent_driver::kind_name(group.settings.kind) != kind) continue;
        found = &group;
        ++count;
    }
    if (count == 1) return found;
    if (options_.agents.empty()) return base::invalid("the run has no agents of its own");
    std::string all = kinds_of(options_.agents);
    if (count == 0)
        return base::invalid(base::concat("the run has no agents of the kind ", kind, "; it has: ", all));
    return base::invalid(kind.empty() ? base::concat("the run has several groups of agents: ", all,
                                                     "; give the kind, as in --agents ",
                                                     kind_name(found->settings.kind), "=2")
                                      : base::concat("the run has ", count, " groups of agents of the kind ",
                                                     kind, ", which cannot be told apart here"));
}

bool RunAgents::stays(std::size_t number) const {
    return states_[number].state != Agent::State::has_left && !states_[number].is_leaving;
}

std::vector<std::size_t> RunAgents::by_step() const {
    std::vector<std::size_t> counts(config_.steps.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const base::Labels* labels = config::labels_of(config_.steps[i]);
        for (std::size_t number = 0; labels != nullptr && number < named_.size(); ++number)
            if (stays(number) && offered_labels(*named_[number].group).fit(*labels)) ++counts[i];
    }
    return counts;
}

base::Result<std::string> RunAgents::scale(const std::string& kind, std::size_t count) {
    auto group = find_group(kind);
    if (!group) return group.error();
    std::vector<std::size_t> present;
    std::size_t of_kind = 0;
    for (std::size_t number = 0; number < named_.size(); ++number) {
        if (named_[number].group->settings.kind == (*group)->settings.kind) ++of_kind;
        if (named_[number].group == *group && stays(number)) present.push_back(number);
    }
    auto stay = std::ranges::count_if(std::views::iota(std::size_t{0}, named_.size()),
                                      [this](std::size_t number) { return stays(number); });
    if (count > present.size())
        if (auto fit = agents::check_open_files(static_cast<std::size_t>(stay) - present.size() + count);
            !fit)
            return fit.error();
    // The idle ones go first.
    std::ranges::sort(present, {},
                      [this](std::size_t number) { return std::pair(!states_[number].is_at_work, number); });
    for (; present.size() > count; present.pop_back())
        send_away(present.back());
    for (std::size_t added = present.size(); added < count; ++added) {
        named_.push_back({agent_name((*group)->settings.kind, ++of_kind), *group});
        states_.emplace_back();
        start_agent(named_.size() - 1);
    }
    return base::concat(base::counted(count, "agent"), " of the kind ",
                        agent_driver::kind_name((*group)->settings.kind));
}

void RunAgents::send_away(std::size_t number) {
    if (states_[number].is_at_work) {
        states_[number].is_leaving = true;
        return;
    }
    states_[number] = {Agent::State::has_left};
    agents_[number]->cancel();
}

}  // namespace live_run
