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

UnmatchedOnAllHosts::Findings UnmatchedOnAllHosts::look(const Waiting& waiting, Time now) {
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
    }
    std::erase_if(states_, [](const auto& entry) { return entry.second.tasks == 0; });
    return tell_new(waiting, {});
}

bool UnmatchedOnAllHosts::wants_to_ask(Time now) const {
    return std::ranges::any_of(states_, [&](const auto& entry) { return entry.second.question <= now; });
}

UnmatchedOnAllHosts::Findings UnmatchedOnAllHosts::answered(const Waiting& waiting,
                                                            const std::optional<std::vector<Labels>>& offered,
                                                            Time now) {
    Findings findings = look(waiting, now);
    for (auto& [labels, state] : states_) {
        if (state.question > now) continue;
        bool is_matched = !offered || is_fitted(labels, *offered);
        if (!is_matched) {
            missed(labels, state, *offered, now, findings);
            continue;
        }
        state.was_missing = state.is_reported = false;
        state.told.clear();
        state.question = now + state.pause;
        state.pause = std::min(2 * state.pause, longest_pause);
    }
    return tell_new(waiting, std::move(findings));
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

UnmatchedOnAllHosts::Findings UnmatchedOnAllHosts::tell_new(const Waiting& waiting, Findings findings) {
    for (const auto& [id, labels] : waiting) {
        State& state = states_.at(labels);
        if (state.is_reported && state.told.insert(id).second) findings.tells.push_back({id, state.missing});
    }
    return findings;
}

std::vector<UnmatchedOnAllHosts::Group> UnmatchedOnAllHosts::unmatched() const {
    std::vector<Group> groups;
    for (const auto& [labels, state] : states_)
        if (state.is_reported) groups.push_back({labels, state.missing, state.tasks, state.since});
    return groups;
}

}  // namespace pool
