#include "launch/retry_choice.hpp"

#include "base/text.hpp"
#include "launch/find_step.hpp"

namespace launch {

namespace {

using Indices = std::vector<std::uint32_t>;

constexpr std::size_t most_named = 10;

Indices dropped_tasks(const workflow::History& history) {
    Indices dropped;
    for (std::uint32_t i = 0; i < history.nodes().size(); ++i)
        if (history.nodes()[i].is_dropped) dropped.push_back(i);
    return dropped;
}

// "the dropped tasks are 3 (Build), 5 (finally of Test)"
std::string list_of(const Indices& dropped, const workflow::History& history,
                    const config::WorkflowConfig& config) {
    if (dropped.empty()) return "no task of the run was";
    std::string text = dropped.size() == 1 ? "the only dropped task is " : "the dropped tasks are ";
    for (std::size_t i = 0; i < dropped.size() && i < most_named; ++i) {
        const workflow::History::Node& node = history.nodes()[dropped[i]];
        base::append_piece(
            text, base::concat(i == 0 ? "" : ", ", node.last.value, " (",
                               node.finally_for ? "finally of " : "", config.step(node.step).name, ")"));
    }
    if (dropped.size() > most_named)
        base::append_piece(text, base::concat(" and ", dropped.size() - most_named, " more"));
    return text;
}

}  // namespace

base::Result<Indices> chosen_tasks(const RetryChoice& choice, const workflow::History& history,
                                   const config::WorkflowConfig& config) {
    Indices dropped = dropped_tasks(history);
    auto list = [&] { return list_of(dropped, history, config); };
    Indices chosen;
    for (std::uint64_t task : choice.tasks) {
        auto index = history.find({task});
        if (!index) return base::invalid(base::concat("there is no task ", task, " in the run"));
        if (!history.nodes()[*index].is_dropped)
            return base::invalid(base::concat("task ", task, " was not dropped; ", list()));
        chosen.push_back(*index);
    }
    if (!choice.step) return choice.tasks.empty() ? dropped : chosen;
    auto step = find_step(*choice.step, config);
    if (!step) return step.error();
    for (std::uint32_t index : dropped)
        if (history.nodes()[index].step == *step) chosen.push_back(index);
    if (chosen.empty())
        return base::invalid(base::concat("no task of step \"", *choice.step, "\" was dropped; ", list()));
    return chosen;
}

}  // namespace launch
