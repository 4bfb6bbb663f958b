#include "pool/waiting_line.hpp"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

namespace pool {

using base::Labels;

void WaitingLine::attach(const Labels& labels) {
    AgentGroup& group = agents_[labels];
    if (++group.attached > 1) return;
    for (auto& [needed, waiting] : submissions_)
        if (labels.fit(needed)) ++waiting.attached;
}

void WaitingLine::detach(const Labels& labels) {
    auto group = agents_.find(labels);
    if (--group->second.attached > 0) return;
    for (auto& [needed, waiting] : submissions_)
        if (labels.fit(needed)) --waiting.attached;
    agents_.erase(group);
}

void WaitingLine::add_idle(const Labels& labels, AgentTurn turn, AgentId agent) {
    auto group = agents_.find(labels);
    group->second.idle.emplace(turn, std::move(agent));
    ++idle_;
    if (group->second.idle.size() == 1) idle_begun(group);
}

void WaitingLine::remove_idle(const Labels& labels, AgentTurn turn) {
    auto group = agents_.find(labels);
    group->second.idle.erase(turn);
    --idle_;
    if (group->second.idle.empty()) idle_ended(group);
}

void WaitingLine::idle_begun(AgentGroups::iterator group) {
    for (auto& [needed, waiting] : submissions_)
        if (group->first.fit(needed)) waiting.idle.push_back(group);
}

void WaitingLine::idle_ended(AgentGroups::iterator group) {
    for (auto& [needed, waiting] : submissions_)
        std::erase(waiting.idle, group);
}

void WaitingLine::add_queued(const Labels& labels, Place place, SubmissionId submission) {
    auto group = submissions_.find(labels);
    if (group == submissions_.end()) group = submissions_.emplace(labels, new_group(labels)).first;
    group->second.queued.emplace(place, std::move(submission));
    ++queued_;
}

WaitingLine::SubmissionGroup WaitingLine::new_group(const Labels& labels) {
    SubmissionGroup group;
    for (auto agents = agents_.begin(); agents != agents_.end(); ++agents) {
        if (!agents->first.fit(labels)) continue;
        ++group.attached;
        if (!agents->second.idle.empty()) group.idle.push_back(agents);
    }
    return group;
}

void WaitingLine::remove_queued(const Labels& labels, Place place) {
    auto group = submissions_.find(labels);
    group->second.queued.erase(place);
    --queued_;
    if (group->second.queued.empty()) submissions_.erase(group);
}

// The end if there is none.
WaitingLine::SubmissionGroups::const_iterator WaitingLine::first_group(bool has_idle) const {
    auto first = submissions_.end();
    for (auto group = submissions_.begin(); group != submissions_.end(); ++group) {
        if (has_idle && group->second.idle.empty()) continue;
        if (first == submissions_.end() ||
            group->second.queued.begin()->first < first->second.queued.begin()->first)
            first = group;
    }
    return first;
}

std::optional<WaitingLine::Match> WaitingLine::take_match() {
    auto group = first_group(true);
    if (group == submissions_.end()) return std::nullopt;
    auto agents = *std::ranges::min_element(group->second.idle, {},
                                            [](auto fitting) { return fitting->second.idle.begin()->first; });
    auto& [agent_turn, agent] = *agents->second.idle.begin();
    auto& [place, submission] = *group->second.queued.begin();
    Match match{std::move(agent), submission};
    remove_idle(agents->first, agent_turn);
    remove_queued(group->first, place);
    return match;
}

std::vector<WaitingLine::Queued> WaitingLine::take_queue() {
    std::vector<Queued> all;
    for (auto& [labels, group] : submissions_)
        for (auto& [place, submission] : group.queued)
            all.push_back({place, std::move(submission)});
    submissions_.clear();
    queued_ = 0;
    std::ranges::sort(all, std::less<>(), &Queued::place);
    return all;
}

std::optional<WaitingLine::Queued> WaitingLine::first_queued() const {
    auto group = first_group(false);
    if (group == submissions_.end()) return std::nullopt;
    auto& [place, submission] = *group->second.queued.begin();
    return Queued{place, submission};
}

std::vector<WaitingLine::Idle> WaitingLine::idle_groups() const {
    std::vector<Idle> groups;
    for (const auto& [labels, group] : agents_)
        if (!group.idle.empty()) groups.push_back({labels, group.idle.size()});
    return groups;
}

std::vector<Labels> WaitingLine::offered() const {
    std::vector<Labels> found;
    for (const auto& [labels, group] : agents_)
        found.push_back(labels);
    return found;
}

std::vector<SubmissionId> WaitingLine::all_queued() const {
    std::vector<SubmissionId> found;
    for (const auto& [labels, group] : submissions_)
        for (const auto& [place, submission] : group.queued)
            found.push_back(submission);
    return found;
}

std::vector<WaitingLine::Queued> WaitingLine::first_queued(std::size_t at_most) const {
    std::vector<Queued> found;
    for (const auto& [labels, group] : submissions_)
        for (const auto& [place, submission] : group.queued | std::views::take(at_most))
            found.push_back({place, submission});
    std::ranges::sort(found, std::less<>(), &Queued::place);
    if (found.size() > at_most)
        found.erase(found.begin() + static_cast<std::ptrdiff_t>(at_most), found.end());
    return found;
}

std::vector<WaitingLine::Queued> WaitingLine::all_before(Place place) const {
    std::vector<Queued> found;
    for (const auto& [labels, group] : submissions_)
        for (auto at = group.queued.begin(); at != group.queued.end() && at->first < place; ++at)
            found.push_back({at->first, at->second});
    std::ranges::sort(found, std::less<>(), &Queued::place);
    return found;
}

std::vector<SubmissionId> WaitingLine::queued_with(const Labels& labels) const {
    std::vector<SubmissionId> found;
    auto group = submissions_.find(labels);
    if (group != submissions_.end())
        for (const auto& [place, submission] : group->second.queued)
            found.push_back(submission);
    return found;
}

std::size_t WaitingLine::count_queued_with(const Labels& labels) const {
    auto group = submissions_.find(labels);
    return group == submissions_.end() ? 0 : group->second.queued.size();
}

bool WaitingLine::is_unmatched(const Labels& labels) const {
    auto group = submissions_.find(labels);
    return group != submissions_.end() && group->second.attached == 0;
}

std::vector<const Labels*> WaitingLine::unmatched() const {
    std::vector<const Labels*> found;
    for (const auto& [labels, group] : submissions_)
        if (group.attached == 0) found.push_back(&labels);
    return found;
}

Labels WaitingLine::missing(const Labels& labels) const {
    Labels left = labels;
    for (const auto& [offered, group] : agents_)
        left = left.without(offered);
    return left;
}

}  // namespace pool
