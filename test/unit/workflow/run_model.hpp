// What must hold in any run, by the rules as people say them. Keeps every task ever submitted, so that it can
// say of each when it was over and when its descendants were. Shares nothing with the machine but its
// entries.
#pragma once

#include "run_helper.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace workflow_test {

struct RuleBroken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void must(bool holds, const char* rule) {
    if (!holds) throw RuleBroken(rule);
}

// How an attempt is to count: with these tasks, or with a failure of that kind.
struct Expected {
    std::optional<Failure::Kind> failure;
    std::vector<config::NewTask> next;
};

class RunModel {
  public:
    explicit RunModel(const config::WorkflowConfig& config) : config_(config) {}

    void begun(const Group& group) {
        for (const auto& entry : submitted(group))
            add(entry);
    }

    void ended(TaskId task, const Expected& expected, const Group& group) {
        must(!std::get<TaskCompleted>(group.front()).answered, "what was attempted is not answered");
        must(std::erase(running_, task) == 1, "only what runs can end");
        completed(task, expected, group);
    }

    // A person has answered, or has not in time.
    void answered(TaskId task, const Expected& expected, const Group& group) {
        bool is_expired = expected.failure == Failure::Kind::expired;
        must(!std::get<TaskCompleted>(group.front()).answered == is_expired, "who answered is recorded");
        must(std::erase(asked_, task) == 1, "an answer counts once, and for what waits for one");
        completed(task, expected, group);
    }

    // The run was killed: what ran or waited for its delay is ready again, and what was asked is asked.
    void killed() {
        for (auto* left : {&running_, &delayed_}) {
            ready_.insert(ready_.end(), left->begin(), left->end());
            left->clear();
        }
        std::ranges::sort(ready_);  // they were submitted in the order of their ids
        for (TaskId id : ready_)
            since_[id] = now_++;
    }

    void check_asked(const State& state) const {
        must(std::ranges::equal(asked_, state.asked), "what waits for a person is known, and nothing else");
        for (TaskId id : asked_)
            must(state.tasks.at(id).status == Task::Status::asked, "what waits for a person is not started");
    }

    void taken(std::optional<TaskId> task, bool local_allowed) {
        auto next = ready_.end();
        for (auto each = ready_.begin(); each != ready_.end(); ++each)
            if ((next == ready_.end() || order_of(*each).priority > order_of(*next).priority) &&
                may_start(*each, local_allowed))
                next = each;
        must(task.has_value() == (next != ready_.end()), "a task starts if and only if one may");
        if (!task) return;
        must(*task == *next, "of the highest priority, the one that is ready for longest starts");
        ready_.erase(next);
        running_.push_back(*task);
    }

    void put_back(TaskId task) {
        must(std::erase(running_, task) == 1, "only what runs can be put back");
        auto later = [&](TaskId other) { return since_.at(other) > since_.at(task); };
        ready_.insert(std::ranges::find_if(ready_, later), task);
    }

    void delayed(TaskId task) {
        must(std::erase(ready_, task) == 1, "only what is ready can be delayed");
        delayed_.push_back(task);
    }
    void due(TaskId task) {
        std::erase(delayed_, task);
        make_ready(task);
    }

    // The next task that is ready, or waits for a person, and must not start, by the bounds as people say
    // them.
    std::optional<TaskId> past_bound(bool time_is_up) const {
        auto is_past_bound = [&](TaskId id) {
            const Node& node = node_of(id);
            bool is_past = (config_.bounds.max_tasks && node.number > *config_.bounds.max_tasks) ||
                           (config_.bounds.max_depth && depth(node) > *config_.bounds.max_depth);
            return !node.is_finally && (is_past || time_is_up);
        };
        for (const auto* open : {&ready_, &asked_})
            if (auto next = std::ranges::find_if(*open, is_past_bound); next != open->end()) return *next;
        return std::nullopt;
    }
    // It was dropped instead of started.
    void dropped(TaskId task, const Group& group) {
        must(std::erase(ready_, task) + std::erase(asked_, task) == 1, "only what is open is dropped");
        completed(task, {Failure::Kind::past_bound, {}}, group);
    }

    bool over() const { return unfinished_ == 0; }
    std::size_t size() const { return nodes_.size(); }
    const std::vector<TaskId>& running() const { return running_; }
    const std::vector<TaskId>& waiting() const { return delayed_; }
    const std::vector<TaskId>& asked() const { return asked_; }

    bool is_finally(TaskId task) const { return node_of(task).is_finally; }
    const config::Step& step(TaskId task) const { return config_.step(node_of(task).step); }

    void check_end() const {
        must(ready_.empty() && running_.empty() && delayed_.empty() && asked_.empty(), "no task is lost");
        for (const Node& node : nodes_) {
            must(node.over && node.open == 0, "every task is over at the end");
            must(node.finallys == (has_finally(node) ? 1 : 0), "every finally came exactly once");
        }
    }

  private:
    // A task with all its attempts, or a finally.
    struct Node {
        config::StepId step;
        std::string value;
        std::optional<std::size_t> parent;
        bool is_finally = false;
        bool over = false;         // itself, not its descendants
        std::uint32_t number = 0;  // which task that was ever asked for it is, the first one being 1
        bool was_past_bound = false;
        std::uint32_t failures = 0;
        std::uint32_t open = 0;  // of itself and its descendants, those that are not over
        int finallys = 0;
    };

    std::size_t index_of(TaskId task) const { return index_by_id_.at(task.value); }
    const Node& node_of(TaskId task) const { return nodes_[index_of(task)]; }

    void completed(TaskId task, const Expected& expected, const Group& group) {
        auto* completed = std::get_if<TaskCompleted>(&group.front());
        must(completed && completed->task == task, "a group begins with the completion");
        std::size_t index = index_of(task);
        auto entries = submitted(group);
        must(entries.size() + 1 == group.size(), "a group has one completion");
        std::size_t announced = expected.failure
                                    ? check_failure(index, *expected.failure, *completed, entries)
                                    : check_success(index, expected.next, *completed, entries);
        must(entries.size() - announced <= 1, "a group has one finally at most");
        for (const auto& entry : entries)
            add(entry);
        for (auto at = std::optional(index); at; at = nodes_[*at].parent)
            must(!is_due(*at), "no finally that is due is forgotten");
    }

    // How many tasks there are from a first task to this one. What a finally emits has that of a child of its
    // task.
    std::size_t depth(const Node& node) const { return node.parent ? 1 + depth(nodes_[*node.parent]) : 1; }

    bool has_finally(const Node& node) const {
        bool was_tried = !node.was_past_bound || node.failures > 1;
        return was_tried && !node.is_finally && config_.step(node.step).has_finally();
    }
    bool is_due(std::size_t index) const {
        const Node& node = nodes_[index];
        return has_finally(node) && node.open == 0 && node.finallys == 0;
    }
    bool is_local(TaskId task) const {
        const config::Step& of = step(task);
        return is_finally(task) || of.pre || !of.is_pool();
    }

    const config::StepOptions& order_of(TaskId task) const { return step(task).options; }

    // Values are whole numbers, or arrays with one as the second element, which is the key.
    std::optional<std::string_view> key_of(TaskId task) const {
        if (!order_of(task).serial_key) return std::nullopt;
        std::string_view value = node_of(task).value;
        std::size_t comma = value.find(',');
        if (comma == value.npos) return std::nullopt;
        return value.substr(comma + 1, value.find(']') - comma - 1);
    }

    bool may_start(TaskId task, bool local_allowed) const {
        if (is_local(task) && !local_allowed) return false;
        if (config_.max_concurrency && running_.size() >= *config_.max_concurrency) return false;
        if (auto most = order_of(task).max_concurrency; most && running_of(node_of(task).step) >= *most)
            return false;
        auto key = key_of(task);
        return !key || std::ranges::none_of(running_, [&](TaskId other) { return key_of(other) == key; });
    }

    std::uint64_t running_of(config::StepId step) const {
        auto is_of = [&](TaskId task) { return node_of(task).step == step; };
        return static_cast<std::uint64_t>(std::ranges::count_if(running_, is_of));
    }

    void open(std::size_t index) {
        ++unfinished_;
        for (auto at = std::optional(index); at; at = nodes_[*at].parent)
            ++nodes_[*at].open;
    }
    void close(std::size_t index) {
        nodes_[index].over = true;
        --unfinished_;
        for (auto at = std::optional(index); at; at = nodes_[*at].parent)
            --nodes_[*at].open;
    }

    std::size_t check_success(std::size_t index, const std::vector<config::NewTask>& next,
                              const TaskCompleted& completed, const std::vector<TaskSubmitted>& entries) {
        auto* succeeded = std::get_if<Succeeded>(&completed.outcome);
        must(succeeded && succeeded->spawned.size() == next.size(), "a success spawns what was asked for");
        must(entries.size() >= next.size(), "what is announced is submitted");
        for (std::size_t i = 0; i < next.size(); ++i) {
            must(std::holds_alternative<Spawned>(entries[i].origin), "children come first");
            must(entries[i].task == succeeded->spawned[i] && entries[i].parent == completed.task,
                 "children are those that were announced");
            must(entries[i].step == next[i].step && *entries[i].value == next[i].value,
                 "children are what was asked for");
        }
        close(index);
        return next.size();
    }

    bool may_retry(const Node& node, Failure::Kind kind) const {
        const config::StepOptions& options = config_.step(node.step).options;
        for (auto final : {Failure::Kind::past_bound, Failure::Kind::rejected, Failure::Kind::expired})
            if (kind == final) return false;
        if (kind == Failure::Kind::timeout && !options.retry_on_timeout) return false;
        if (kind == Failure::Kind::invalid_response && !options.retry_on_invalid_response) return false;
        return node.failures <= options.max_retries;
    }

    std::size_t check_failure(std::size_t index, Failure::Kind kind, const TaskCompleted& completed,
                              const std::vector<TaskSubmitted>& entries) {
        auto* failed = std::get_if<Failed>(&completed.outcome);
        must(failed && failed->failure().kind == kind, "a failure is what it was");
        ++nodes_[index].failures;
        nodes_[index].was_past_bound = kind == Failure::Kind::past_bound;
        must(failed->retry.has_value() == may_retry(nodes_[index], kind), "a retry is granted by the policy");
        if (!failed->retry) {
            close(index);
            return 0;
        }
        must(entries.size() == 1 && entries[0].task == *failed->retry, "the retry alone is submitted");
        return 1;
    }

    void add(const TaskSubmitted& entry) {
        must(entry.task.value == index_by_id_.size(), "ids are counted");
        std::size_t index = nodes_.size();
        if (auto* retry = std::get_if<Retry>(&entry.origin))
            index = index_of(retry->replaces);
        else
            add_node(entry);
        const Node& node = nodes_[index];
        must(!node.over, "nothing is done again once it is over");
        must(node.step == entry.step && node.value == *entry.value, "an attempt is at the same task");
        must(node.parent == parent_of(entry), "an attempt has the task's parent");
        index_by_id_.push_back(index);
        bool is_asked = !node.is_finally && config_.step(node.step).is_human();
        if (is_asked)
            asked_.push_back(entry.task);
        else
            make_ready(entry.task);
    }

    void make_ready(TaskId task) {
        since_[task] = now_++;
        ready_.push_back(task);
    }

    void add_node(const TaskSubmitted& entry) {
        Node node{entry.step, *entry.value, parent_of(entry)};
        if (auto* finally = std::get_if<Finally>(&entry.origin)) {
            std::size_t index = index_of(finally->finally_for);
            Node& owner = nodes_[index];
            must(is_due(index), "a finally comes once, after the task and all its descendants");
            ++owner.finallys;
            node = {owner.step, owner.value, owner.parent, true};
        } else {
            node.number = ++tasks_;
        }
        nodes_.push_back(std::move(node));
        open(nodes_.size() - 1);
    }

    std::optional<std::size_t> parent_of(const TaskSubmitted& entry) const {
        return entry.parent ? std::optional(index_of(*entry.parent)) : std::nullopt;
    }

    const config::WorkflowConfig& config_;
    std::vector<Node> nodes_;
    std::vector<std::size_t> index_by_id_;   // of nodes
    std::vector<TaskId> ready_;              // ready for longest first
    std::map<TaskId, std::uint64_t> since_;  // when a task became ready, in the order of all
    std::uint64_t now_ = 0;
    std::vector<TaskId> running_;
    std::vector<TaskId> delayed_;
    std::vector<TaskId> asked_;  // by id
    std::size_t unfinished_ = 0;
    std::uint32_t tasks_ = 0;
};

}  // namespace workflow_test
