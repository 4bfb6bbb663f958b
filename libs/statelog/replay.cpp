#include "statelog/replay.hpp"

#include "base/error.hpp"
#include "workflow/machine.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace statelog {

namespace {

using base::Result;
using workflow::TaskCompleted;
using workflow::TaskSubmitted;

constexpr std::size_t dropped_kept = 10;

// Room for the ids of new tasks.
constexpr std::uint64_t id_room = std::uint64_t{1} << 61;

}  // namespace

Replay::Replay(std::string name, Observer observer, Checksums checksums, NoteObserver note_observer)
    : reader_(std::move(name), checksums),
      observer_(std::move(observer)),
      note_observer_(std::move(note_observer)) {}

Result<void> Replay::feed(std::string_view bytes) {
    auto fed = reader_.feed(
        bytes, [this](const Record& record) { return take(record); },
        [this](const UsageNote& note) { take_note(note); });
    if (fed && config()) begun_state();
    return fed;
}

Result<Tail> Replay::finish() {
    if (state_ && state_->next_id > id_room)
        return reader_.damage("cannot be continued: the ids in the log leave no room for new ones");
    return reader_.finish();
}

workflow::State& Replay::begun_state() {
    if (!state_) state_.emplace(*config());
    return *state_;
}

Result<void> Replay::take(const Record& record) {
    workflow::State& state = begun_state();
    auto dropped = dropped_by(record.entry);
    add_usage(record.entry);
    if (auto applied = workflow::apply(*config(), state, record.entry); !applied)
        return base::invalid("is inconsistent: " + applied.error().message);
    if (dropped) add_dropped(std::move(*dropped));
    track_question(record);
    if (observer_) observer_(*this, record);
    return {};
}

void Replay::track_question(const Record& record) {
    if (const auto* completed = std::get_if<TaskCompleted>(&record.entry)) {
        asked_since_.erase(completed->task);
        return;
    }
    workflow::TaskId task = std::get<TaskSubmitted>(record.entry).task;
    if (!state_->asked.contains(task)) return;
    Time begun = header().time.value_or(Time());
    asked_since_.emplace(task, std::max(begun, record.time.value_or(begun)));
}

void Replay::add_dropped(DroppedRecord dropped) {
    ++dropped_count_;
    if (dropped.failure.kind != workflow::Failure::Kind::past_bound && dropped_.size() < dropped_kept)
        dropped_.push_back(std::move(dropped));
}

// Called before the entry is applied, as dropped_by() is.
void Replay::add_usage(const workflow::Entry& entry) {
    const auto* completed = std::get_if<TaskCompleted>(&entry);
    const workflow::Task* task = completed ? state_->find(completed->task) : nullptr;
    if (!task) return;
    auto noted = running_usage_.extract(completed->task);
    if (completed->report)
        usage_.add(task->step, *completed->report);
    else if (!noted.empty())
        usage_.add(task->step, noted.mapped().back().used);
}

// The task may be missing in a log from which entries were left out.
void Replay::take_note(const UsageNote& note) {
    if (begun_state().find(note.task))
        running_usage_[note.task].push_back({note.time.time_since_epoch(), note.used});
    if (note_observer_) note_observer_(*this);
}

workflow::UsageTable Replay::whole_usage() const {
    workflow::UsageTable all = usage_;
    for (const auto& [task, noted] : running_usage_)
        if (const workflow::Task* running = state_->find(task)) all.add(running->step, noted.back().used);
    return all;
}

// Called before the entry is applied, because the task no longer exists afterwards.
std::optional<DroppedRecord> Replay::dropped_by(const workflow::Entry& entry) const {
    const auto* completed = std::get_if<TaskCompleted>(&entry);
    const auto* failed = completed ? std::get_if<workflow::Failed>(&completed->outcome) : nullptr;
    const workflow::Task* task = failed && !failed->retry ? state_->find(completed->task) : nullptr;
    if (!task) return std::nullopt;
    return DroppedRecord{completed->task, task->step, task->finally_for.has_value(), failed->failure()};
}

}  // namespace statelog
