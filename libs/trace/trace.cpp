#include "trace/trace.hpp"

#include "base/text.hpp"
#include "trace/completion_of.hpp"
#include "trace/origin_byte.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace trace {

namespace {

using base::Result;
using workflow::TaskCompleted;
using workflow::TaskSubmitted;

// Names are given by agents, so there may be many.
constexpr std::size_t max_agents = 10'000;

// "mine (claude opus)", as far as it is known.
std::string agent_name(const std::string* name, const pool_protocol::AgentReport* report) {
    std::string program;
    if (report != nullptr)
        program = report->model.empty() ? report->kind : base::concat(report->kind, " ", report->model);
    if (name == nullptr) return program;
    return program.empty() ? *name : base::concat(*name, " (", program, ")");
}

base::Error contradiction(workflow::TaskId task, std::string_view what) {
    return base::invalid(base::concat("is inconsistent: task ", task.value, " ", what));
}

}  // namespace

Trace::Trace(std::string name) : reader_(std::move(name)) {}

Result<void> Trace::feed(std::string_view bytes) {
    auto fed = reader_.feed(
        bytes, [this](const statelog::Record& record) { return take(record); },
        [this](const statelog::UsageNote& note) { take_note(note); });
    if (is_between_groups()) end_group();
    return fed;
}

bool Trace::is_between_groups() const {
    return config() && reader_.announced() == 0 && reader_.initial_left() == 0;
}

Result<void> Trace::take(const statelog::Record& record) {
    if (is_between_groups()) end_group();
    tallies_.resize(config()->steps.size());
    const auto* completed = std::get_if<TaskCompleted>(&record.entry);
    auto taken =
        completed ? complete(*completed, record) : submit(std::get<TaskSubmitted>(record.entry), record.time);
    if (taken && record.time) {
        if (!first_time_) first_time_ = record.time;
        group_time_ = record.time;
    }
    return taken;
}

void Trace::take_note(const statelog::UsageNote& note) {
    if (is_between_groups()) end_group();
    auto row = find(note.task.value);
    if (row && rows_.completion[*row] == absent)
        unreported_.noted(note.task.value, {rows_.step[*row]}, note.used);
}

workflow::UsageTable Trace::usage() const {
    workflow::UsageTable all = reported_;
    all.add(unreported_.table());
    return all;
}

Result<void> Trace::submit(const TaskSubmitted& entry, std::optional<statelog::Time> time) {
    constexpr std::uint32_t most_steps = 1 << 16;
    if (entry.step.value >= most_steps)
        return base::invalid(base::concat("has a task of step number ", entry.step.value,
                                          ", but only the first ", most_steps, " can be shown"));
    Attempt attempt;
    attempt.submitted = milliseconds_of(time);
    attempt.step = static_cast<std::uint16_t>(entry.step.value);
    attempt.offset = reader_.offset();
    if (auto related = relate(entry, attempt); !related) return related;
    if (auto noted = note_id(entry.task.value); !noted) return noted;
    attempt.id = static_cast<std::uint32_t>(entry.task.value);
    if (attempt.origin == Origin::retry) rows_.next[attempt.of] = row_count();
    add(attempt);
    return {};
}

// Which attempts have led to this one.
Result<void> Trace::relate(const TaskSubmitted& entry, Attempt& attempt) const {
    if (std::holds_alternative<workflow::Initial>(entry.origin)) return {};
    if (const auto* finally = std::get_if<workflow::Finally>(&entry.origin)) {
        auto owner = find_row(finally->finally_for.value);
        if (!owner || rows_.completion[*owner] == absent || rows_.next[*owner] != absent)
            return contradiction(entry.task, "is the finally of a task that has not ended");
        attempt.origin = Origin::finally;
        attempt.is_finally = true;
        attempt.parent = rows_.parent[*owner];
        attempt.of = *owner;
        return {};
    }
    if (reader_.announced() == 0)
        return contradiction(entry.task, "is submitted, but no task has announced it");
    Row completed = completions_.row.back();
    if (std::holds_alternative<workflow::Retry>(entry.origin)) {
        attempt.origin = Origin::retry;
        attempt.is_finally = is_of_finally(rows_.origin[completed]);
        attempt.parent = rows_.parent[completed];
        attempt.of = completed;
        return {};
    }
    if (!entry.parent || entry.parent->value != rows_.id[completed])
        return contradiction(entry.task, "is submitted as another task than was announced");
    attempt.origin = Origin::spawned;
    attempt.parent = completed;
    return {};
}

// Ids ascend in a log of this program, and need no table. A log of another program may have them in any
// order.
Result<void> Trace::note_id(std::uint64_t id) {
    if (id >= absent)
        return base::invalid(
            base::concat("has the task number ", id, ", but only numbers below ", absent, " can be shown"));
    if (by_id_.empty() && (rows_.id.empty() || id > rows_.id.back())) return {};
    if (by_id_.empty())
        for (Row row = 0; row < row_count(); ++row)
            by_id_.emplace(rows_.id[row], row);
    if (!by_id_.emplace(static_cast<std::uint32_t>(id), row_count()).second)
        return contradiction({id}, "is submitted twice");
    return {};
}

Result<void> Trace::complete(const TaskCompleted& entry, const statelog::Record& record) {
    auto row = find_row(entry.task.value);
    if (!row || rows_.completion[*row] != absent)
        return contradiction(entry.task, "is completed, but was not to be done");
    Completion completion = completion_of(record);
    completion.row = *row;
    completion.offset = reader_.offset();
    if (completion.children > 0) completion.first_child = row_count();
    report_ = entry.report;
    agent_ = entry.agent;
    add(completion);
    return {};
}

void Trace::end_group() {
    for (; committed_.rows < row_count(); ++committed_.rows)
        count_row(committed_.rows);
    for (; committed_.completions < completion_count(); ++committed_.completions)
        count_completion(committed_.completions);
    if (group_time_) last_time_ = std::exchange(group_time_, std::nullopt);
}

Counts& Trace::counts_of(Row row) {
    Tally& tally = tallies_[rows_.step[row]];
    return is_of_finally(rows_.origin[row]) ? tally.finallys : tally.tasks;
}

void Trace::count_row(Row row) {
    Counts& counts = counts_of(row);
    ++(origin_in(rows_.origin[row]) == Origin::retry ? counts.retried : counts.tasks);
}

void Trace::count_completion(std::uint32_t index) {
    Row row = completions_.row[index];
    rows_.completion[row] = index;
    Counts& counts = counts_of(row);
    if (completions_.outcome[index] == Outcome::succeeded) ++counts.done;
    if (completions_.outcome[index] == Outcome::dropped) ++counts.dropped;
    if (report_) reported_.add({rows_.step[row]}, *report_);
    unreported_.ended(rows_.id[row], report_ != nullptr);
    note_agent(index);
    if (auto duration = duration_of(attempt(row), completion(index))) {
        ++counts.timed;
        counts.total_ms += *duration;
        counts.longest_ms = std::max(counts.longest_ms, *duration);
    }
}

void Trace::note_agent(std::uint32_t index) {
    std::string name = agent_name(agent_.get(), report_.get());
    agent_.reset();
    report_.reset();
    if (name.empty()) return;
    auto known = agent_indices_.find(name);
    if (known == agent_indices_.end()) {
        if (agents_.size() >= max_agents) return;
        known = agent_indices_.emplace(name, static_cast<std::uint16_t>(agents_.size())).first;
        agents_.push_back(std::move(name));
        agents_since_.push_back(index);
    }
    completions_.agent[index] = known->second;
}

void Trace::add(const Attempt& attempt) {
    rows_.submitted.push_back(attempt.submitted);
    rows_.id.push_back(attempt.id);
    rows_.parent.push_back(attempt.parent);
    rows_.of.push_back(attempt.of);
    rows_.next.push_back(absent);
    rows_.completion.push_back(absent);
    rows_.step.push_back(attempt.step);
    rows_.origin.push_back(origin_byte(attempt.origin, attempt.is_finally));
    rows_.offset.push_back(attempt.offset);
}

void Trace::add(const Completion& completion) {
    completions_.started.push_back(completion.started);
    completions_.ended.push_back(completion.ended);
    completions_.usd.push_back(completion.usd);
    completions_.row.push_back(completion.row);
    completions_.pre.push_back(completion.pre);
    completions_.post.push_back(completion.post);
    completions_.tokens.push_back(completion.tokens);
    completions_.first_child.push_back(completion.first_child);
    completions_.children.push_back(completion.children);
    completions_.agent.push_back(completion.agent);
    completions_.outcome.push_back(completion.outcome);
    completions_.reason.push_back(completion.reason);
    completions_.flags.push_back(completion.flags);
    completions_.offset.push_back(completion.offset);
}

Attempt Trace::attempt(Row row) const {
    auto origin = rows_.origin[row];
    bool is_replaced = rows_.next[row] < committed_.rows;
    return {rows_.submitted[row],
            rows_.id[row],
            rows_.parent[row],
            rows_.of[row],
            is_replaced ? rows_.next[row] : absent,
            rows_.step[row],
            origin_in(origin),
            is_of_finally(origin),
            rows_.completion[row],
            rows_.offset[row]};
}

Completion Trace::completion(std::uint32_t index) const {
    return {completions_.started[index],     completions_.ended[index],   completions_.usd[index],
            completions_.row[index],         completions_.pre[index],     completions_.post[index],
            completions_.tokens[index],      completions_.agent[index],   completions_.outcome[index],
            completions_.reason[index],      completions_.flags[index],   completions_.offset[index],
            completions_.first_child[index], completions_.children[index]};
}

std::optional<Row> Trace::find_row(std::uint64_t id) const {
    if (!by_id_.empty()) {
        auto found = id < absent ? by_id_.find(static_cast<std::uint32_t>(id)) : by_id_.end();
        return found == by_id_.end() ? std::nullopt : std::optional(found->second);
    }
    if (id < rows_.id.size() && rows_.id[id] == id) return static_cast<Row>(id);  // nothing was left out
    auto found = std::ranges::lower_bound(rows_.id, id);
    if (found == rows_.id.end() || *found != id) return std::nullopt;
    return static_cast<Row>(found - rows_.id.begin());
}

std::optional<Row> Trace::find(std::uint64_t id) const {
    auto row = find_row(id);
    return row && *row < committed_.rows ? row : std::nullopt;
}

Row Trace::first_of(Row row) const {
    while (origin_in(rows_.origin[row]) == Origin::retry)
        row = rows_.of[row];
    return row;
}

Row Trace::last_of(Row row) const {
    while (rows_.next[row] < committed_.rows)
        row = rows_.next[row];
    return row;
}

}  // namespace trace
