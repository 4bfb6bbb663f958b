#include "workflow/history.hpp"

#include <variant>

namespace workflow {

namespace {

// Whether it is the next attempt of a task that was submitted before.
bool is_retry(const Entry& entry) {
    const auto* submitted = std::get_if<TaskSubmitted>(&entry);
    return submitted && std::holds_alternative<Retry>(submitted->origin);
}

TaskId task_of(const Entry& entry) {
    return std::visit([](const auto& of_a_task) { return of_a_task.task; }, entry);
}

}  // namespace

void History::add(const Entry& entry) {
    if (const auto* submitted = std::get_if<TaskSubmitted>(&entry)) return submit(*submitted);
    const auto& completed = std::get<TaskCompleted>(entry);
    const auto* failed = std::get_if<Failed>(&completed.outcome);
    if (failed && !failed->retry) nodes_[by_id_.at(completed.task)].is_dropped = true;
}

std::optional<std::uint32_t> History::find(TaskId attempt) const {
    auto found = by_id_.find(attempt);
    if (found == by_id_.end()) return std::nullopt;
    return found->second;
}

void History::submit(const TaskSubmitted& entry) {
    if (const auto* retry = std::get_if<Retry>(&entry.origin)) {
        std::uint32_t index = by_id_.at(retry->replaces);
        by_id_.emplace(entry.task, index);
        nodes_[index].last = entry.task;
        return;
    }
    Node node{entry.task, entry.task, entry.step};
    if (entry.parent) node.parent = by_id_.at(*entry.parent);
    if (const auto* finally = std::get_if<Finally>(&entry.origin))
        node.finally_for = by_id_.at(finally->finally_for);
    by_id_.emplace(entry.task, static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back(node);
}

LeftOut::LeftOut(const History& history, const std::vector<std::uint32_t>& retried)
    : history_(history), fates_(history.nodes().size(), Fate::kept) {
    const auto& nodes = history.nodes();
    std::vector<bool> is_open(nodes.size());  // goes on, or something below it does: its `finally` is not due
    for (std::uint32_t index : retried) {
        fates_[index] = Fate::retried;
        for (std::optional<std::uint32_t> at = index; at && !is_open[*at]; at = nodes[*at].parent)
            is_open[*at] = true;
    }
    // A parent, and the task of a `finally`, come before it.
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const History::Node& node = nodes[i];
        bool is_early = node.finally_for && is_open[*node.finally_for];
        if (is_early || (node.parent && fates_[*node.parent] == Fate::removed)) fates_[i] = Fate::removed;
    }
}

bool LeftOut::contains(const Entry& entry) const {
    switch (fates_[*history_.find(task_of(entry))]) {
        case Fate::kept:
            return false;
        case Fate::retried:
            return is_retry(entry) || std::holds_alternative<TaskCompleted>(entry);
        case Fate::removed:
            break;
    }
    return true;
}

}  // namespace workflow
