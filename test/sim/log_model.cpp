#include "log_model.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace sim {

using workflow::Entry;
using workflow::Task;
using workflow::TaskCompleted;
using workflow::TaskId;
using workflow::TaskSubmitted;

const char* LogModel::add(const Entry& entry) {
    if (const auto* completed = std::get_if<TaskCompleted>(&entry)) return complete(*completed);
    return submit(std::get<TaskSubmitted>(entry));
}

const char* LogModel::complete(const TaskCompleted& entry) {
    if (announced_left_ > 0) return "a group is whole before the next one begins";
    auto at = index(entry.task);
    if (!at) return "only what was submitted is completed";
    Node& node = nodes_[*at];
    if (node.completed) return "nothing is completed twice";
    node.completed = true;
    announcer_ = entry.task;
    if (const auto* failed = std::get_if<workflow::Failed>(&entry.outcome)) {
        node.over = !failed->retry;
        node.was_past_bound = failed->failure().kind == workflow::Failure::Kind::past_bound;
        node.failure = std::make_shared<const workflow::Failure>(failed->failure());
        announces_retry_ = true;
        return announce(failed->retry ? std::vector{*failed->retry} : std::vector<TaskId>{});
    }
    node.over = true;
    announces_retry_ = false;
    return announce(std::get<workflow::Succeeded>(entry.outcome).spawned);
}

const char* LogModel::announce(const std::vector<TaskId>& ids) {
    announced_ = ids;
    announced_left_ = ids.size();
    for (TaskId id : ids) {
        if (id.value < next_id_) return "an id is used once";
        next_id_ = id.value + 1;
    }
    return nullptr;
}

const char* LogModel::submit(const TaskSubmitted& entry) {
    const auto* retry = std::get_if<workflow::Retry>(&entry.origin);
    const auto* finally = std::get_if<workflow::Finally>(&entry.origin);
    const char* broken = nullptr;
    if (retry || std::holds_alternative<workflow::Spawned>(entry.origin)) {
        broken = check_announced(entry);
    } else {
        if (announced_left_ > 0) return "a group is whole before the next one begins";
        if (entry.task.value < next_id_) return "an id is used once";
        next_id_ = entry.task.value + 1;
        if (finally)
            broken = check_finally(entry, finally->finally_for);
        else if (entry.parent)
            broken = "a root has no parent";
    }
    Node node{entry.task, entry.step, entry.value, entry.parent, {}, {}, {}};
    if (finally) node.finally_for = finally->finally_for;
    if (retry) node.replaces = retry->replaces;
    nodes_.insert(std::ranges::upper_bound(nodes_, node.id, {}, &Node::id), node);
    return broken;
}

const char* LogModel::check_announced(const TaskSubmitted& entry) {
    if (announced_left_ == 0) return "only what was announced is submitted";
    auto at = std::ranges::find(announced_, entry.task);
    if (at == announced_.end() || index(entry.task)) return "each task that was announced is submitted once";
    --announced_left_;
    const auto* retry = std::get_if<workflow::Retry>(&entry.origin);
    if ((retry != nullptr) != announces_retry_) return "a failure announces a retry, a success children";
    if (!retry) return entry.parent == announcer_ ? nullptr : "children are those of what announced them";
    const Node& replaced = nodes_[*index(announcer_)];
    if (retry->replaces != announcer_ || entry.step != replaced.step || entry.parent != replaced.parent)
        return "a retry is one of what has failed";
    return nullptr;
}

const char* LogModel::check_finally(const TaskSubmitted& entry, TaskId owner) {
    auto at = index(owner);
    if (!at || !awaits_finally(nodes_[*at]))
        return "a finally comes once, for a task that has one and is over";
    if (alive().dependents[*at]) return "a finally comes after all descendants";
    nodes_[*at].has_its_finally = true;
    if (entry.step != nodes_[*at].step || entry.parent != nodes_[*at].parent)
        return "a finally has the step and the parent of its task";
    return nullptr;
}

std::optional<std::size_t> LogModel::index(TaskId id) const {
    if (id.value < nodes_.size() && nodes_[id.value].id == id) return id.value;
    auto at = std::ranges::lower_bound(nodes_, id, {}, &Node::id);
    if (at == nodes_.end() || at->id != id) return std::nullopt;
    return static_cast<std::size_t>(at - nodes_.begin());
}

bool LogModel::awaits_finally(const Node& node) const {
    // What is no task of its own, but another's finally, has none; a retry of it neither.
    const Node* first = &node;
    while (first->replaces)
        first = &nodes_[*index(*first->replaces)];
    // A task that was never tried has none.
    bool was_tried = node.replaces || !node.was_past_bound;
    return node.over && was_tried && !node.has_its_finally && !first->finally_for &&
           config_->step(node.step).has_finally();
}

// "Propagate upward … repeat until no new alive tasks are found."
LogModel::Alive LogModel::alive() const {
    Alive alive{std::vector<char>(nodes_.size()), std::vector<char>(nodes_.size())};
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        alive.itself[i] = !nodes_[i].completed || awaits_finally(nodes_[i]);
    bool found = true;
    while (found) {
        found = false;
        for (std::size_t i = nodes_.size(); i-- > 0;) {
            if (!alive.itself[i] || !nodes_[i].parent) continue;
            std::size_t parent = *index(*nodes_[i].parent);
            found = found || !alive.itself[parent];
            alive.itself[parent] = alive.dependents[parent] = 1;
        }
    }
    return alive;
}

Pending LogModel::pending(const Node& node) const {
    Pending pending{node.id, node.step, 1, node.value, node.parent, {}};
    const Node* first = &node;
    for (; first->replaces; ++pending.attempt)
        first = &nodes_[*index(*first->replaces)];
    pending.finally_for = first->finally_for;
    pending.is_asked = !first->finally_for && config_->step(node.step).is_human();
    if (config_->step(node.step).options.retry_feedback) pending.previous = previous(node, pending.attempt);
    return pending;
}

// The last three attempts before this one.
std::vector<workflow::PreviousAttempt> LogModel::previous(const Node& node, std::uint32_t attempt) const {
    std::vector<workflow::PreviousAttempt> previous;
    for (const Node* at = &node; at->replaces && previous.size() < 3;) {
        at = &nodes_[*index(*at->replaces)];
        previous.insert(previous.begin(), {--attempt, at->failure->message, at->failure->response});
    }
    return previous;
}

Standing LogModel::standing() const {
    Standing standing;
    standing.next_id = next_id_;
    Alive are_alive = alive();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (!nodes_[i].completed)
            standing.pending.push_back(pending(nodes_[i]));
        else if (awaits_finally(nodes_[i]))
            (are_alive.dependents[i] ? standing.waiting : standing.due).push_back(nodes_[i].id);
    }
    return standing;
}

namespace {

bool is_same(const Pending& pending, const Task& task) {
    auto status = pending.is_asked ? Task::Status::asked : Task::Status::ready;
    return task.status == status && pending.step == task.step && pending.attempt == task.attempt &&
           *pending.value == *task.value && pending.parent == task.parent &&
           pending.finally_for == task.finally_for;
}

std::string difference_in(const std::vector<TaskId>& ids, const workflow::State& state, Task::Status status,
                          const char* what) {
    for (TaskId id : ids) {
        const Task* task = state.find(id);
        if (!task || task->status != status) return base::concat("task ", id.value, " should be ", what);
    }
    return "";
}

std::size_t announced_by(const TaskCompleted& completed) {
    if (const auto* failed = std::get_if<workflow::Failed>(&completed.outcome)) return failed->retry ? 1 : 0;
    return std::get<workflow::Succeeded>(completed.outcome).spawned.size();
}

}  // namespace

std::string difference(const Standing& standing, const workflow::State& state) {
    for (const Pending& pending : standing.pending) {
        const Task* task = state.find(pending.task);
        if (!task || !is_same(pending, *task))
            return base::concat("task ", pending.task.value, " should be pending as it was submitted");
    }
    auto found = difference_in(standing.waiting, state, Task::Status::waiting, "waiting");
    if (found.empty())
        found = difference_in(standing.due, state, Task::Status::finally_due, "due for its finally");
    if (!found.empty()) return found;
    if (state.tasks.size() != standing.pending.size() + standing.waiting.size() + standing.due.size())
        return "there are tasks that should be done with";
    if (state.next_id != standing.next_id) return "the next id is another";
    if (state.running != 0) return "something runs";
    auto is_wrong = [&](const Pending& pending) {
        return pending.is_asked != state.asked.contains(pending.task);
    };
    auto asked = std::ranges::count_if(standing.pending, &Pending::is_asked);
    if (std::ranges::any_of(standing.pending, is_wrong) || std::cmp_not_equal(asked, state.asked.size()))
        return "other tasks wait for a person";
    std::size_t told = 0;
    for (const Pending& pending : standing.pending) {
        auto previous = state.previous_of(pending.task);
        if (pending.previous != (previous ? *previous : std::vector<workflow::PreviousAttempt>()))
            return base::concat("task ", pending.task.value, " should be told of other attempts");
        told += previous ? 1 : 0;
    }
    if (state.previous_attempts.size() != told) return "attempts at tasks that are over are kept";
    return "";
}

std::vector<std::size_t> committed_counts(const std::vector<Entry>& entries) {
    std::vector<std::size_t> counts{0};
    std::size_t left = 0;
    for (const Entry& entry : entries) {
        if (const auto* completed = std::get_if<TaskCompleted>(&entry))
            left = announced_by(*completed);
        else if (left > 0)
            --left;
        std::size_t whole = counts.size();
        counts.push_back(left > 0 ? counts.back() : whole);
    }
    return counts;
}

}  // namespace sim
