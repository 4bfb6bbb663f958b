#include "oracle.hpp"

#include <algorithm>
#include <array>

namespace hosts {

void Oracle::violated(const TaskId& task, const std::string& what) {
    if (log) log(task.text() + ": " + what);
    if (violation_.empty()) violation_ = task.text() + ": " + what;
}

std::size_t Oracle::begun(const TaskId& task, const edge::Author& claim, const edge::Queue& queue) {
    if (log) log(task.text() + " is begun by an agent of " + claim.edge.text());
    Known& known = tasks_[task];
    using State = Execution::State;
    for (const Execution& earlier : known.executions) {
        bool counts = earlier.state != State::ended && !known.withdrawn.contains(earlier.claim);
        bool is_double = counts || earlier.state == State::running;
        if (!is_double || known.may_be_repeated || (known.is_forgotten && was_wiped_)) continue;
        // Only if the engine has lost its claims can a task be given to a second agent; or if it has lost the
        // outcome of one that was answered, and is submitted again.
        if (!was_wiped_ && !(known.is_record_lost && known.was_answered))
            violated(task, earlier.state == State::running ? "two agents at once" : "done twice");
        known.is_doubtful = true;
    }
    check_doubt(task, known);
    known.executions.push_back({claim, queue});
    return known.executions.size() - 1;
}

void Oracle::ended(const TaskId& task, std::size_t number, Execution::State state, bool was_processed) {
    constexpr std::array names{"running", "completed", "ended", "unknown"};
    if (log) log(task.text() + " on an agent: " + names[static_cast<std::size_t>(state)]);
    Execution& execution = tasks_.at(task).executions.at(number);
    execution.state = state;
    execution.was_processed = was_processed;
}

void Oracle::submitted(const TaskId& task, const edge::Queue& queue) {
    if (log) log(task.text() + " is submitted");
    Known& known = tasks_[task];
    known.queue = queue;
    for (Execution& execution : known.executions)
        execution.was_before |= execution.was_processed;
    if (std::exchange(known.was_withdrawn, false))
        for (const Execution& execution : known.executions)
            known.withdrawn.insert(execution.claim);
    known.waits = true;
    known.was_answered |= known.answer.has_value();
    known.answer.reset();
}

void Oracle::forgotten(const TaskId& task) {
    Known& known = tasks_[task];
    known.is_forgotten = true;
    known.is_doubtful = false;
}

void Oracle::record_lost(const TaskId& task, bool is_known) {
    Known& known = tasks_[task];
    known.is_record_lost = true;
    known.is_withdrawal_written = false;
    known.may_be_repeated |= !is_known || (known.is_being_withdrawn && known.is_notice_lost);
}

void Oracle::withdrawn(const TaskId& task) {
    if (log) log(task.text() + " is withdrawn");
    Known& known = tasks_[task];
    known.waits = false;
    known.was_withdrawn = known.is_being_withdrawn = true;
    known.is_withdrawal_written = false;
    known.is_doubtful = false;
    // If it is submitted again, nobody can tell the next host that another one had it.
    known.may_be_repeated |= known.is_record_lost && known.is_notice_lost;
}

// Nobody wants what was begun before, also if the task was submitted again meanwhile.
void Oracle::withdrawal_written(const TaskId& task) {
    Known& known = tasks_[task];
    known.is_withdrawal_written = true;
    if (!std::exchange(known.is_being_withdrawn, false)) return;
    for (const Execution& execution : known.executions)
        known.withdrawn.insert(execution.claim);
}

// The answer of a task that may have been done twice must say so.
void Oracle::check_doubt(const TaskId& task, const Known& known) {
    if (known.is_doubtful && known.answer && !known.was_told)
        violated(task, "done twice, and the answer does not say so");
}

// What came before the task was submitted again counts as well, and so does what came before the engine knew
// of the withdrawal.
void Oracle::check_response(const TaskId& task, const Known& known) {
    if (known.answer != Outcome::processed) return;
    bool was_processed = false;
    bool was_as_wanted = !known.is_withdrawal_written;
    for (const Execution& execution : known.executions) {
        was_processed |= execution.was_processed;
        was_as_wanted |= execution.was_processed && (execution.was_before || execution.queue == known.queue);
    }
    if (!was_processed) return violated(task, "answered without a response");
    if (!was_as_wanted) violated(task, "answered with a response to what was withdrawn");
}

void Oracle::answered(const TaskId& task, Outcome outcome, bool was_lost) {
    Known& known = tasks_[task];
    if (!known.waits) violated(task, "answered, but nobody waits");
    known.waits = known.is_being_withdrawn = false;
    known.answer = outcome;
    known.was_told = was_lost || outcome == Outcome::agent_lost;
    check_response(task, known);
    if (is_calm_ && (outcome == Outcome::agent_lost || was_lost)) violated(task, "lost without a fault");
    if (outcome == Outcome::invalid) violated(task, "refused for no reason");
    check_doubt(task, known);
}

void Oracle::check_end() {
    for (const auto& [task, known] : tasks_) {
        if (known.waits) violated(task, "never answered");
        for (const Execution& execution : known.executions)
            if (execution.state == Execution::State::running) violated(task, "an agent still works on it");
    }
}

}  // namespace hosts
