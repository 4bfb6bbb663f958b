#include "pool/unmatched_on_all_hosts.hpp"

#include <algorithm>
#include <utility>

namespace pool {

namespace {

using base::Labels;

Labels missing_of(const Labels& labels, const std::vector<Labels>& offered) {
    Labels left = labels;
    for (const Labels& one : offered)
        left = left.without(one);
    return left;
}

bool is_fitted(const Labels& needed, const std::vector<Labels>& offered) {
    return std::ranges::any_of(offered, [&](const Labels& agent) { return agent.fit(needed); });
}

}  // namespace

void UnmatchedOnAllHosts::look(const Waiting& waiting, Time now) {
    for (auto& [labels, state] : states_)
        state.tasks = 0;
    for (const auto& [id, labels] : waiting) {
        auto [position, is_new] = states_.try_emplace(labels);
        State& state = position->second;
        if (is_new) {
            state.since = now;
            state.question = now + first_question;
        }
        ++state.tasks;
        if (state.is_reported && !state.told.contains(id))
            state.question = std::min(state.question, state.asked + first_question);
    }
    std::erase_if(states_, [](const auto& entry) { return entry.second.tasks == 0; });
}

void UnmatchedOnAllHosts::known(const std::vector<Labels>& offered, Time now) {
    for (auto& [labels, state] : states_)
        if (state.is_reported && is_fitted(labels, offered)) matched(state, now);
}

bool UnmatchedOnAllHosts::wants_to_ask(Time now) const {
    return std::ranges::any_of(states_, [&](const auto& entry) { return entry.second.question <= now; });
}

UnmatchedOnAllHosts::Findings UnmatchedOnAllHosts::answered(const Waiting& waiting,
                                                            const std::optional<std::vector<Labels>>& offered,
                                                            Time now) {
    look(waiting, now);
    if (offered) known(*offered, now);
    Findings findings;
    for (auto& [labels, state] : states_) {
        if (state.question > now) continue;
        state.asked = now;
        if (!offered || is_fitted(labels, *offered))
            matched(state, now);
        else
            missed(labels, state, *offered, now, findings);
    }
    for (const auto& [id, labels] : waiting) {
        State& state = states_.at(labels);
        if (state.is_reported && state.asked == now && state.told.insert(id).second)
            findings.tells.push_back({id, state.missing});
    }
    return findings;
}

void UnmatchedOnAllHosts::matched(State& state, Time now) {
    if (std::exchange(state.is_reported, false)) state.pause = first_question;
    state.was_missing = false;
    state.told.clear();
    state.since = now;
    state.question = now + state.pause;
    state.pause = std::min(2 * state.pause, longest_pause);
}

void UnmatchedOnAllHosts::missed(const Labels& labels, State& state, const std::vector<Labels>& offered,
                                 Time now, Findings& findings) {
    if (!std::exchange(state.was_missing, true)) {
        state.question = now + confirmation;
        return;
    }
    state.question = now + state.pause;
    state.pause = std::min(2 * state.pause, longest_pause);
    state.missing = missing_of(labels, offered);
    if (std::exchange(state.is_reported, true)) return;
    findings.reports.push_back({labels, state.missing, state.tasks});
}

std::vector<UnmatchedOnAllHosts::Group> UnmatchedOnAllHosts::unmatched() const {
    std::vector<Group> groups;
    for (const auto& [labels, state] : states_)
        if (state.is_reported) groups.push_back({labels, state.missing, state.tasks, state.since});
    return groups;
}

}  // namespace pool
