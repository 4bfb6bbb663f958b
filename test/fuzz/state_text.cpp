#include "state_text.hpp"

#include "base/text.hpp"

#include <map>

namespace fuzz {

namespace {

std::string text_of(const std::optional<workflow::TaskId>& id) {
    return id ? base::concat(id->value) : "-";
}

std::string text_of(const workflow::Task& task) {
    return base::concat(" step ", task.step.value, " attempt ", task.attempt, " value ",
                        task.value ? *task.value : "-", " parent ", text_of(task.parent), " finally_for ",
                        text_of(task.finally_for), " awaited_by ", text_of(task.awaited_by), " live ",
                        task.live, " turn ", task.turn, " status ", static_cast<int>(task.status), "\n");
}

std::string text_of(const workflow::StepCounters& step) {
    return base::concat(step.submitted, " ", step.done, " ", step.retried, " ", step.dropped, " ",
                        step.finally_done, " ", step.finally_retried, " ", step.finally_dropped, "\n");
}

}  // namespace

std::string text_of(const workflow::State& state) {
    std::map<std::uint64_t, std::string> tasks;
    for (const auto& [id, task] : state.tasks)
        tasks.emplace(id.value, text_of(task));
    std::string text = base::concat("next ", state.next_id, " turn ", state.next_turn, "\n");
    for (const auto& [id, task] : tasks)
        text += base::concat(id, task);
    for (const auto& step : state.steps)
        text += text_of(step);
    return text;
}

}  // namespace fuzz
