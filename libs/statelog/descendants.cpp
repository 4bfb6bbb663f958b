#include "statelog/descendants.hpp"

#include "statelog/line_fields.hpp"
#include "statelog/record.hpp"
#include "statelog/usage_note.hpp"

#include <utility>
#include <variant>

namespace statelog {

using workflow::TaskId;

base::Result<void> Descendants::take(std::string_view line) {
    if (is_usage_note(line)) return {};
    auto record = read_record(config_, line);
    if (!record) return record.error();
    if (const auto* submitted = std::get_if<workflow::TaskSubmitted>(&record->entry))
        submit(*submitted);
    else
        complete(std::get<workflow::TaskCompleted>(record->entry));
    return {};
}

void Descendants::submit(const workflow::TaskSubmitted& entry) {
    if (const auto* finally = std::get_if<workflow::Finally>(&entry.origin)) {
        if (finally_due_.erase(finally->finally_for) > 0)
            open_[entry.task] = {finally->finally_for, entry.step, entry.value, finally->finally_for};
        return;
    }
    auto found = open_.find(entry.task);
    if (found == open_.end()) return;
    found->second.step = entry.step;
    found->second.value = entry.value;
}

void Descendants::complete(const workflow::TaskCompleted& entry) {
    const auto* succeeded = std::get_if<workflow::Succeeded>(&entry.outcome);
    if (entry.task == task_) {
        if (succeeded) return expect(succeeded->spawned, task_);
        is_task_dropped_ = true;
        return;
    }
    auto node = open_.extract(entry.task);
    if (node.empty()) return;
    if (succeeded) {
        end(entry.task, node.mapped(), nullptr);
        return expect(succeeded->spawned, node.mapped().finally_for.value_or(entry.task));
    }
    const auto& failed = std::get<workflow::Failed>(entry.outcome);
    if (!failed.retry) return end(entry.task, node.mapped(), &failed.failure());
    node.key() = *failed.retry;
    open_.insert(std::move(node));
}

void Descendants::expect(const std::vector<TaskId>& children, TaskId parent) {
    for (TaskId child : children)
        open_[child].parent = parent;
}

void Descendants::end(TaskId task, const Open& open, const workflow::Failure* failure) {
    if (open.finally_for) return;
    if (config_.step(open.step).has_finally()) finally_due_.insert(task);
    on_ended({task, open.parent, open.step, open.value, failure});
}

std::optional<TaskId> completed_in(std::string_view line) {
    auto fields = fields_of(line);
    if (!fields || !fields->kind.is_string("TaskCompleted")) return std::nullopt;
    auto id = fields->task_id.is(json::Kind::number) ? fields->task_id.integer() : std::nullopt;
    if (!id || *id < 0) return std::nullopt;
    return TaskId{static_cast<std::uint64_t>(*id)};
}

}  // namespace statelog
