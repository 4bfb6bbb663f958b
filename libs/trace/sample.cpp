#include "trace/sample.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace trace {

namespace {

// A task by its last row.
struct Task {
    Row last = absent;
    std::uint32_t attempts = 0;
    bool has_failed = false;          // at least one attempt
    std::uint8_t reason = 0;          // of its last failure
    Outcome outcome = Outcome::none;  // of its last attempt
    double longest = -1;              // ms, of its attempts; -1: unknown
};

// Groups that are to be represented in the same way.
using Key = std::tuple<std::uint16_t, bool, std::uint8_t>;  // step, finally, and a reason or a state
using Group = std::vector<std::size_t>;                     // indices of tasks, in the order of the log

Task task_of(const Trace& trace, Row last) {
    Task task{last};
    for (Row row = last; row != absent;) {
        Attempt attempt = trace.attempt(row);
        ++task.attempts;
        if (attempt.completion != absent) {
            Completion completion = trace.completion(attempt.completion);
            if (row == last) task.outcome = completion.outcome;
            if (completion.reason != 0 && !task.has_failed) {
                task.has_failed = true;
                task.reason = completion.reason;
            }
            task.longest = std::max(task.longest, duration_of(attempt, completion).value_or(-1));
        }
        row = attempt.origin == Origin::retry ? attempt.of : absent;
    }
    return task;
}

std::vector<Task> tasks_of(const Trace& trace) {
    std::vector<Task> tasks;
    for (Row row = 0; row < trace.position().rows; ++row)
        if (trace.attempt(row).next == absent) tasks.push_back(task_of(trace, row));
    return tasks;
}

// How many of each group: the small ones whole, the others the same number.
std::vector<std::size_t> fair_shares(const std::map<Key, Group>& groups, std::size_t most) {
    std::vector<std::pair<std::size_t, std::size_t>> by_size;  // size, index of the group
    for (const auto& [key, group] : groups)
        by_size.emplace_back(group.size(), by_size.size());
    std::ranges::sort(by_size);
    std::vector<std::size_t> shares(by_size.size());
    std::size_t groups_left = by_size.size();
    for (auto [size, index] : by_size) {
        shares[index] = std::min(size, most / groups_left--);
        most -= shares[index];
    }
    return shares;
}

// Takes tasks until the limits are reached.
class Choice {
  public:
    Choice(const Trace& trace, const SampleLimits& limits)
        : trace_(trace), tasks_(tasks_of(trace)), chosen_(tasks_.size()), limits_(limits) {}

    const std::vector<Task>& tasks() const { return tasks_; }
    std::size_t room() const { return limits_.tasks - taken_; }

    bool fits_all() const { return tasks_.size() <= limits_.tasks && trace_.position().rows <= limits_.rows; }

    // A task whose attempts do not fit any more is left out.
    bool take(std::size_t index) {
        if (chosen_[index]) return true;
        if (taken_ >= limits_.tasks || rows_ + tasks_[index].attempts > limits_.rows) return false;
        chosen_[index] = true;
        ++taken_;
        rows_ += tasks_[index].attempts;
        return true;
    }

    // The tasks that are not taken yet and for which `key` gives a key.
    template<class KeyOf>
    std::map<Key, Group> groups(KeyOf key_of) const {
        std::map<Key, Group> groups;
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            if (chosen_[i]) continue;
            if (auto key = key_of(tasks_[i], trace_.attempt(tasks_[i].last))) groups[*key].push_back(i);
        }
        return groups;
    }

    Sample sample() const {
        Sample sample;
        sample.tasks = taken_;
        sample.of = tasks_.size();
        sample.rows.reserve(rows_);
        for (std::size_t i = 0; i < tasks_.size(); ++i)
            if (chosen_[i]) add_rows(sample.rows, tasks_[i].last);
        std::ranges::sort(sample.rows);
        return sample;
    }

  private:
    void add_rows(std::vector<Row>& rows, Row row) const {
        for (Attempt attempt = trace_.attempt(row);; attempt = trace_.attempt(row)) {
            rows.push_back(row);
            if (attempt.origin != Origin::retry) return;
            row = attempt.of;
        }
    }

    const Trace& trace_;
    std::vector<Task> tasks_;
    std::vector<bool> chosen_;
    SampleLimits limits_;
    std::size_t taken_ = 0;
    std::size_t rows_ = 0;
};

std::optional<Key> failure_key(const Task& task, const Attempt& last) {
    if (!task.has_failed) return std::nullopt;
    return Key{last.step, last.is_finally, task.reason};
}

std::optional<Key> state_key(const Task& task, const Attempt& last) {
    return Key{last.step, last.is_finally, static_cast<std::uint8_t>(task.outcome)};
}

// Returns whether all tasks that have failed were taken.
bool take_failures(Choice& choice) {
    auto groups = choice.groups(failure_key);
    auto shares = fair_shares(groups, choice.room() / 5 * 4);  // the others are to be seen as well
    bool is_all = true;
    std::size_t at = 0;
    for (const auto& [key, group] : groups) {
        std::size_t share = shares[at++];
        if (share < group.size()) is_all = false;
        for (std::size_t i = 0; i < share; ++i)
            if (!choice.take(group[i])) is_all = false;
    }
    return is_all;
}

void take_slowest(Choice& choice, std::size_t count) {
    std::vector<std::pair<double, std::size_t>> slowest;  // longest first, and of equal ones the first
    for (std::size_t i = 0; i < choice.tasks().size(); ++i)
        if (choice.tasks()[i].longest >= 0) slowest.emplace_back(-choice.tasks()[i].longest, i);
    count = std::min(count, slowest.size());
    auto end = slowest.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(slowest.begin(), end, slowest.end());
    for (auto task = slowest.begin(); task != end; ++task)
        choice.take(task->second);
}

void take_evenly(Choice& choice) {
    auto groups = choice.groups(state_key);
    auto shares = fair_shares(groups, choice.room());
    std::size_t at = 0;
    for (const auto& [key, group] : groups) {
        std::size_t share = shares[at++];
        for (std::size_t i = 0; i < share; ++i)
            choice.take(group[i * group.size() / share]);
    }
}

}  // namespace

Sample sample_of(const Trace& trace, const SampleLimits& limits) {
    Choice choice(trace, limits);
    if (choice.fits_all()) {
        for (std::size_t i = 0; i < choice.tasks().size(); ++i)
            choice.take(i);
        return choice.sample();
    }
    bool has_all_failures = take_failures(choice);
    take_slowest(choice, limits.slowest);
    take_evenly(choice);
    Sample sample = choice.sample();
    sample.rule = base::concat("Of ", sample.of, " tasks, this report contains ", sample.tasks, ": ",
                               has_all_failures
                                   ? "all with a failed attempt"
                                   : "of those with a failed attempt the first ones of each step and reason",
                               ", the ", limits.slowest,
                               " slowest, and of each step as many others as possible, evenly spaced. The "
                               "sums are those of all tasks.");
    return sample;
}

}  // namespace trace
