#include "reuse/results.hpp"

#include "base/text.hpp"
#include "json/canonical.hpp"
#include "reuse/step_parts.hpp"
#include "statelog/record.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace reuse {

namespace {

using workflow::TaskCompleted;
using workflow::TaskId;
using workflow::TaskSubmitted;

// Values of children that are longer are read from the log when they are needed.
constexpr std::size_t largest_kept = 4096;

base::Fingerprint fingerprint_of_value(const std::string& value) {
    return base::fingerprint(json::canonical(json::View::of(value)));
}

}  // namespace

void Results::add(const statelog::Replay& replay, const statelog::Record& record) {
    if (!earlier_) {
        earlier_ = replay.config();
        compare(*earlier_);
    }
    if (const auto* submitted = std::get_if<TaskSubmitted>(&record.entry))
        submit(*submitted, replay.record_offset());
    else
        complete(std::get<TaskCompleted>(record.entry), replay.record_offset());
}

void Results::compare(const config::WorkflowConfig& earlier) {
    has_counterpart_.resize(config_->steps.size());
    for (const config::Step& step : earlier.steps) {
        Counterpart& counterpart = counterparts_.emplace_back();
        auto found = config_->find(step.name);
        if (!found) continue;
        const config::Step& now = config_->step(*found);
        if (schema_text(step) == schema_text(now)) counterpart.as_child = found;
        if (parts_of(earlier, step) != parts_of(*config_, now)) continue;
        counterpart.same = found;
        has_counterpart_[found->value] = true;
    }
}

void Results::submit(const TaskSubmitted& entry, std::uint64_t offset) {
    if (const auto* retry = std::get_if<workflow::Retry>(&entry.origin)) {
        auto node = open_.extract(retry->replaces);
        if (node.empty()) return;
        node.key() = entry.task;
        open_.insert(std::move(node));
        return;
    }
    base::Fingerprint fingerprint;
    if (auto step = counterparts_[entry.step.value].same) {
        fingerprint = fingerprint_of_value(*entry.value);
        bool is_finally = std::holds_alternative<workflow::Finally>(entry.origin);
        open_.emplace(entry.task, Key{*step, is_finally, fingerprint});
    }
    if (pending_ && std::holds_alternative<workflow::Spawned>(entry.origin))
        add_child(entry, offset, fingerprint);
}

void Results::complete(const TaskCompleted& entry, std::uint64_t offset) {
    auto found = open_.find(entry.task);
    if (found == open_.end()) return;
    if (const auto* failed = std::get_if<workflow::Failed>(&entry.outcome)) {
        if (failed->retry) return;
        dropped_.push_back({found->second, {entry.task, offset}});
    } else {
        std::size_t children = std::get<workflow::Succeeded>(entry.outcome).spawned.size();
        // Room is made for many at once: growing in steps would rehash them repeatedly.
        if (children > open_.size()) open_.reserve(open_.size() + children);
        pending_ = {found->second, entry.task, static_cast<std::uint32_t>(children_.size()), children, true};
        if (children == 0) add_result(*std::exchange(pending_, std::nullopt));
    }
    open_.erase(found);
}

void Results::add_child(const TaskSubmitted& entry, std::uint64_t offset,
                        const base::Fingerprint& fingerprint) {
    auto step = counterparts_[entry.step.value].as_child;
    pending_->is_usable = pending_->is_usable && step;
    bool is_kept = entry.value->size() <= largest_kept;
    if (step) children_.push_back({*step, is_kept ? entry.value : nullptr, offset, fingerprint});
    if (--pending_->left > 0) return;
    Pending whole = *std::exchange(pending_, std::nullopt);
    if (whole.is_usable)
        add_result(whole);
    else
        children_.resize(whole.first_child);
}

void Results::add_result(const Pending& whole) {
    auto index = static_cast<std::uint32_t>(results_.size());
    auto children = static_cast<std::uint32_t>(children_.size()) - whole.first_child;
    std::uint32_t slot =
        slots_by_key_.try_emplace(whole.key, static_cast<std::uint32_t>(slots_.size())).first->second;
    if (slot == slots_.size())
        slots_.push_back({index, index, index});
    else
        results_[std::exchange(slots_[slot].last, index)].next = index;
    results_.push_back({whole.task, slot, whole.first_child, children, index});
}

std::optional<Key> Results::key_of(const workflow::Task& task) const {
    if (task.step.value >= has_counterpart_.size() || !has_counterpart_[task.step.value]) return std::nullopt;
    return Key{task.step, task.finally_for.has_value(), fingerprint_of(task)};
}

base::Fingerprint Results::fingerprint_of(const workflow::Task& task) const {
    auto known = fingerprints_.find(task.value.get());
    return known == fingerprints_.end() ? fingerprint_of_value(*task.value) : known->second;
}

std::optional<std::uint32_t> Results::slot_of(const workflow::Task& task) const {
    auto key = key_of(task);
    auto slot = key ? slots_by_key_.find(*key) : slots_by_key_.end();
    if (slot == slots_by_key_.end()) return std::nullopt;
    return slot->second;
}

base::Result<std::optional<Found>> Results::take(const workflow::Task& task, const ReadLine& read_line) {
    auto slot = slot_of(task);
    fingerprints_.erase(task.value.get());
    if (!slot) return std::optional<Found>();
    const Result& result = results_[slots_[*slot].to_take];
    auto found = read(result, read_line);
    if (!found) return found.error();
    slots_[*slot].to_take = result.next;
    return std::optional(std::move(*found));
}

base::Result<Found> Results::read(const Result& result, const ReadLine& read_line) {
    Found found{result.task, {}};
    found.next.reserve(result.children);
    for (std::uint32_t i = 0; i < result.children; ++i) {
        const Child& child = children_[result.first_child + i];
        workflow::Value value = child.value;
        if (!value) {
            auto line = read_line(child.offset);
            if (!line) return line.error();
            auto record = statelog::read_record(*earlier_, *line);
            const auto* submitted = record ? std::get_if<TaskSubmitted>(&record->entry) : nullptr;
            if (!submitted) return base::invalid("the log was changed while it was read");
            value = submitted->value;
        } else if (has_counterpart_[child.step.value]) {
            fingerprints_.emplace(value.get(), child.fingerprint);
        }
        found.next.push_back({child.step, std::move(value)});
    }
    return found;
}

void Results::mark_taken(const std::vector<TaskId>& tasks) {
    std::unordered_map<TaskId, std::uint32_t> by_task;
    for (std::uint32_t i = 0; i < results_.size(); ++i)
        by_task.emplace(results_[i].task, i);
    for (TaskId task : tasks) {
        auto found = by_task.find(task);
        if (found == by_task.end()) continue;
        const Result& result = results_[found->second];
        slots_[result.slot].to_take = result.next;
    }
}

std::optional<TaskId> Results::find(const workflow::Task& task) const {
    auto slot = slot_of(task);
    return slot ? std::optional(results_[slots_[*slot].first].task) : std::nullopt;
}

std::optional<Unsuccessful> Results::find_unsuccessful(const workflow::Task& task) const {
    auto key = key_of(task);
    if (!key) return std::nullopt;
    auto dropped = std::ranges::find(dropped_, *key, &Dropped::key);
    if (dropped != dropped_.end()) return dropped->task;
    for (const auto& [id, open] : open_)
        if (open == *key) return Unsuccessful{id, std::nullopt};
    return std::nullopt;
}

}  // namespace reuse
