#include "reuse/why.hpp"

#include "base/text.hpp"
#include "reuse/first_difference.hpp"
#include "reuse/step_parts.hpp"

#include <utility>
#include <variant>
#include <vector>

namespace reuse {

namespace {

using base::concat;
using workflow::TaskCompleted;
using workflow::TaskSubmitted;

std::string changes(const std::string& step, const std::vector<ChangedPart>& parts) {
    std::string text;
    for (const ChangedPart& part : parts) {
        Difference difference = first_difference(part.before, part.after);
        base::append_piece(text, concat(text.empty() ? "because `" : "\nand because `", part.name, "` of ",
                                        step, " changed (line ", difference.line, "):"));
        for (const std::string& line : difference.lines)
            base::append_piece(text, concat("\n  ", line));
    }
    return text;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

base::Result<std::string> lack_of_success(const ReusedRun& earlier, const Unsuccessful& task) {
    std::string name =
        concat("because task ", task.task.value, " of run ", earlier.source().run_id, ", which is equal, ");
    if (!task.dropped_at) return name + "has not ended there";
    auto failure = earlier.failure_at(*task.dropped_at);
    if (!failure) return failure.error();
    return concat(name, "failed there (", statelog::reason_name(failure->kind), ": ",
                  first_line(failure->message), ")");
}

base::Result<std::string> reason(const config::WorkflowConfig& config, const AskedTask& asked,
                                 const ReusedRun& earlier) {
    const config::Step& step = config.step(asked.task.step);
    const std::string& run = earlier.source().run_id;
    auto before = earlier.config().find(step.name);
    if (!before) return concat("because ", step.name, " is a new step: run ", run, " has none of that name");
    auto changed =
        changed_parts(parts_of(earlier.config(), earlier.config().step(*before)), parts_of(config, step));
    if (!changed.empty()) return changes(step.name, changed);
    bool is_finally = asked.task.finally_for.has_value();
    if (is_finally && asked.task.has_run)
        return concat("because its task ", asked.task.finally_for->value,
                      ", or a task that it waits for, was not reused");
    if (auto unsuccessful = earlier.results().find_unsuccessful(asked.task);
        unsuccessful && !earlier.results().find(asked.task))
        return lack_of_success(earlier, *unsuccessful);
    if (auto equal = earlier.results().find(asked.task))
        return concat("although task ", equal->value, " of run ", run,
                      ", which is equal, has succeeded: its result was not known when this task began");
    return concat("because its value is new: no ", is_finally ? "finally" : "task", " of ", step.name,
                  " with this value succeeded in run ", run);
}

}  // namespace

void TaskSearch::add(const statelog::Replay& replay, const statelog::Record& record) {
    if (const auto* submitted = std::get_if<TaskSubmitted>(&record.entry)) {
        last_id_ = submitted->task;
        const auto* retry = std::get_if<workflow::Retry>(&submitted->origin);
        bool is_next = found_ && retry && retry->replaces == attempt_;
        if (submitted->task != wanted_ && !is_next) return;
        attempt_ = submitted->task;
        if (!found_) found_ = {wanted_, *replay.state().find(submitted->task), false, std::nullopt};
        return;
    }
    const auto& completed = std::get<TaskCompleted>(record.entry);
    if (!found_ || completed.task != attempt_) return;
    found_->has_ended = true;
    if (completed.reused) found_->reused = *completed.reused;
}

base::Result<std::string> why(const config::WorkflowConfig& config, const AskedTask& asked,
                              const ReusedRun* earlier) {
    if (asked.reused)
        return concat("reused from task ", asked.reused->task.value, " of run ", asked.reused->run_id);
    if (!earlier) return std::string("no result was reused: the run was started without --reuse");
    std::string verb = asked.has_ended ? "ran" : "is to run, or runs,";
    auto because = reason(config, asked, *earlier);
    if (!because) return because.error();
    return concat(verb, " ", *because);
}

}  // namespace reuse
