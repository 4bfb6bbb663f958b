#include "trace/dropped.hpp"

#include "base/text_parts.hpp"
#include "statelog/entry_json.hpp"
#include "trace/json_pieces.hpp"
#include "trace/read_entry.hpp"

namespace trace {

namespace {

using workflow::TaskCompleted;

std::uint32_t attempts_of(const Trace& trace, Row row) {
    std::uint32_t count = 1;
    for (Row at = trace.first_of(row); at != row; at = trace.attempt(at).next)
        ++count;
    return count;
}

base::Result<std::string> dropped_task(const Trace& trace, const ReadLine& read_line,
                                       const Completion& completion, std::size_t most_message) {
    auto entry = read_entry<TaskCompleted>(trace, read_line, completion.offset);
    if (!entry) return entry.error();
    const auto* failed = std::get_if<workflow::Failed>(&entry->outcome);
    if (!failed) return changed(trace);
    workflow::Failure failure = failed->failure();
    std::size_t size = failure.message.size();
    failure.message.resize(base::cut_to(failure.message, most_message).size());
    std::string cut = failure.message.size() < size
                          ? base::concat(",\"message_left_out\":", size - failure.message.size())
                          : std::string();
    Attempt attempt = trace.attempt(completion.row);
    return base::concat(
        "{\"id\":", attempt.id, ",\"step\":", json::quote(trace.config()->steps[attempt.step].name),
        ",\"finally\":", truth(attempt.is_finally), ",\"attempts\":", attempts_of(trace, completion.row), ",",
        statelog::failure_members(failure), cut, "}");
}

}  // namespace

base::Result<std::vector<std::string>> dropped_json(const Trace& trace, const ReadLine& read_line,
                                                    const DroppedWanted& wanted) {
    std::vector<std::string> tasks;
    std::size_t skipped = 0;
    for (std::uint32_t i = trace.position().completions; i-- > 0 && tasks.size() < wanted.most;) {
        Completion completion = trace.completion(i);
        if (completion.outcome != Outcome::dropped) continue;
        if (wanted.step && trace.attempt(completion.row).step != *wanted.step) continue;
        if (skipped++ < wanted.skipped) continue;
        auto task = dropped_task(trace, read_line, completion, wanted.most_message);
        if (!task) return task.error();
        tasks.push_back(std::move(*task));
    }
    return tasks;
}

}  // namespace trace
