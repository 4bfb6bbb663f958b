#include "runner/result_index.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace runner {

using workflow::TaskId;

namespace {

void append(LogRanges& ranges, io::ByteRange range) {
    if (!ranges.empty() && ranges.back().begin <= range.begin && range.begin <= ranges.back().end)
        ranges.back().end = std::max(ranges.back().end, range.end);
    else
        ranges.push_back(range);
}

}  // namespace

LogRanges merged(LogRanges ranges) {
    std::ranges::sort(ranges, {}, &io::ByteRange::begin);
    LogRanges result;
    for (io::ByteRange range : ranges)
        append(result, range);
    return result;
}

void ResultIndex::begin_with(TaskId task, config::StepId step) {
    if (config_.step(step).has_finally()) open_.emplace(task, Open{step});
}

std::optional<ResultIndex::Ended> ResultIndex::add(const workflow::Entry& entry, io::ByteRange line) {
    if (const auto* completed = std::get_if<workflow::TaskCompleted>(&entry))
        return complete(*completed, line);
    submit(std::get<workflow::TaskSubmitted>(entry), line);
    return std::nullopt;
}

void ResultIndex::give(TaskId task, LogRanges lines) {
    auto found = waiting_.find(task);
    if (found == waiting_.end()) return;
    LogRanges& own = found->second.lines;
    if (own.size() < lines.size()) std::swap(own, lines);
    own.insert(own.end(), lines.begin(), lines.end());
}

LogRanges ResultIndex::lines_of(TaskId task) const {
    auto found = waiting_.find(task);
    return found == waiting_.end() ? LogRanges() : merged(found->second.lines);
}

// An announced task is known already if there is a `finally` above it; others matter if they have one.
void ResultIndex::submit(const workflow::TaskSubmitted& entry, io::ByteRange line) {
    auto known = open_.find(entry.task);
    if (const auto* finally = std::get_if<workflow::Finally>(&entry.origin)) {
        auto task = waiting_.find(finally->finally_for);
        if (task == waiting_.end()) return;
        known =
            open_
                .insert_or_assign(entry.task, Open{entry.step, task->second.awaited_by, finally->finally_for})
                .first;
    } else if (known != open_.end()) {
        known->second.step = entry.step;
    } else {
        return begin_with(entry.task, entry.step);
    }
    note(known->second.awaited_by, line);
}

std::optional<ResultIndex::Ended> ResultIndex::complete(const workflow::TaskCompleted& entry,
                                                        io::ByteRange line) {
    auto node = open_.extract(entry.task);
    if (node.empty()) return std::nullopt;
    const Open open = node.mapped();
    note(open.awaited_by, line);
    const auto* failed = std::get_if<workflow::Failed>(&entry.outcome);
    if (failed && failed->retry) {
        node.key() = *failed->retry;
        node.mapped().is_retry = true;
        open_.insert(std::move(node));
        return std::nullopt;
    }
    std::optional<TaskId> above = open.awaited_by;
    if (waits(open, entry)) {
        waiting_[entry.task] = {open.awaited_by, {line}};
        above = entry.task;
    }
    if (const auto* succeeded = std::get_if<workflow::Succeeded>(&entry.outcome); succeeded && above)
        for (TaskId child : succeeded->spawned)
            open_[child].awaited_by = above;
    return open.finally_for ? end_finally(*open.finally_for) : std::nullopt;
}

bool ResultIndex::waits(const Open& open, const workflow::TaskCompleted& entry) const {
    const auto* failed = std::get_if<workflow::Failed>(&entry.outcome);
    bool was_tried =
        !failed || open.is_retry || failed->failure().kind != workflow::Failure::Kind::past_bound;
    return was_tried && !open.finally_for && config_.step(open.step).has_finally();
}

void ResultIndex::note(std::optional<TaskId> awaited_by, io::ByteRange line) {
    auto found = awaited_by ? waiting_.find(*awaited_by) : waiting_.end();
    if (found != waiting_.end()) append(found->second.lines, line);
}

std::optional<ResultIndex::Ended> ResultIndex::end_finally(TaskId task) {
    auto node = waiting_.extract(task);
    if (node.empty()) return std::nullopt;
    return Ended{task, node.mapped().awaited_by, std::move(node.mapped().lines)};
}

}  // namespace runner
