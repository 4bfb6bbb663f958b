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
        if (!is_double || known.may_be_repeated || (known.is_forgotten && wiped_)) continue;
        check_repetition(task, known, earlier);
        doubt(known, earlier);
    }
    if (known.waiting.empty()) check_doubt(task, known);
    known.executions.push_back({claim, queue});
    return known.executions.size() - 1;
}

// Who may have submitted the task before it was done must be told that it was done again. Of several
// submitters that is known of those whose hosts knew that the engine had it from them, and has not lost
// everything since.
void Oracle::doubt(Known& known, const Execution& earlier) const {
    auto was_before = [&](Time time) {
        return earlier.state == Execution::State::running || time <= earlier.ended;
    };
    if (known.submitters.size() == 1) {
        const auto& [submitter, since] = *known.submitters.begin();
        if (was_before(since)) known.doubtful.insert(submitter);
        return;
    }
    for (const auto& [submitter, waiting] : known.waiting)
        if (waiting.published && was_before(*waiting.published) && !(wiped_ && *waiting.published > *wiped_))
            known.doubtful.insert(submitter);
}

// Only if the engine has lost its claims can a task be given to a second agent; or if it has lost the outcome
// of one that was answered, and is submitted again; or if one submitter was done with it so long ago that the
// record is gone, and another one, which could not be reached until now, still waits.
void Oracle::check_repetition(const TaskId& task, Known& known, const Execution& earlier) {
    bool is_at_once = earlier.state == Execution::State::running;
    bool is_excused = wiped_ || (known.is_record_lost && known.was_answered);
    if (is_excused || may_be_forgotten(known, earlier)) return;
    violated(task, is_at_once ? "two agents at once" : "done twice");
}

// The first of several submitters that is done with a task keeps its record for three leases, by its clock.
bool Oracle::may_be_forgotten(const Known& known, const Execution& execution) const {
    Time end = std::min(execution.ended, known.decided.value_or(execution.ended));
    return known.submitters.size() > 1 && execution.state != Execution::State::running &&
           agenda_.now() > end + 88s;
}

// That somebody waits is known if everybody can be reached.
bool Oracle::may_be_unknown(const TaskId& task) const {
    const Known& known = tasks_.at(task);
    if (is_calm_ && !known.waiting.empty()) return false;
    return std::ranges::any_of(
        known.executions, [&](const Execution& execution) { return may_be_forgotten(known, execution); });
}

void Oracle::ended(const TaskId& task, std::size_t number, Execution::State state, bool was_processed) {
    constexpr std::array names{"running", "completed", "ended", "unknown"};
    if (log) log(task.text() + " on an agent: " + names[static_cast<std::size_t>(state)]);
    Execution& execution = tasks_.at(task).executions.at(number);
    execution.state = state;
    execution.ended = agenda_.now();
    execution.was_processed = was_processed;
}

void Oracle::submitted(const TaskId& task, Submitter submitter, const edge::Queue& queue) {
    if (log) log(task.text() + " is submitted on " + std::to_string(submitter));
    Known& known = tasks_[task];
    bool joins = !known.waiting.empty();
    ++known.submissions;
    known.submitters.emplace(submitter, agenda_.now());
    known.waiting.emplace(submitter, Waiting{agenda_.now()});
    for (const Execution& execution : known.executions)
        if (may_be_forgotten(known, execution)) known.withdrawn.insert(execution.claim);
    if (joins) return;
    known.decided.reset();
    known.queue = queue;
    for (Execution& execution : known.executions)
        execution.was_before |= execution.was_processed;
    const bool was_withdrawn = std::exchange(known.was_withdrawn, false);
    // That the task was done before, this host may never have known.
    const bool is_new = known.submitters.size() > 1 && (wiped_ || known.is_record_lost);
    for (const Execution& execution : known.executions)
        if (was_withdrawn || is_new) known.withdrawn.insert(execution.claim);
    known.was_answered |= known.answer.has_value();
    known.answer.reset();
}

void Oracle::published(const TaskId& task, Submitter submitter) {
    auto waiting = tasks_[task].waiting.find(submitter);
    if (waiting == tasks_[task].waiting.end() || waiting->second.published) return;
    waiting->second.published = agenda_.now();
}

void Oracle::forgotten(const TaskId& task, Submitter submitter) {
    Known& known = tasks_[task];
    if (auto waiting = known.waiting.find(submitter); waiting != known.waiting.end())
        waiting->second.published.reset();
    known.is_forgotten = true;
    known.doubtful.clear();
}

void Oracle::record_lost(const TaskId& task, bool is_known) {
    Known& known = tasks_[task];
    known.is_record_lost = true;
    known.is_withdrawal_written = false;
    known.may_be_repeated |= !is_known || (known.is_being_withdrawn && known.is_notice_lost);
}

void Oracle::wiped() {
    wiped_ = agenda_.now();
    for (auto& [task, known] : tasks_)
        known.is_withdrawal_written = false;
}

void Oracle::withdrawn(const TaskId& task, Submitter submitter) {
    if (log) log(task.text() + " is withdrawn on " + std::to_string(submitter));
    Known& known = tasks_[task];
    known.waiting.erase(submitter);
    if (!known.waiting.empty()) return;
    known.was_withdrawn = known.is_being_withdrawn = true;
    known.is_withdrawal_written = false;
    known.doubtful.clear();
    // If it is submitted again, nobody can tell the next host that another one had it.
    known.may_be_repeated |= known.is_record_lost && known.is_notice_lost;
}

// Nobody wants what was begun before, also if the task was submitted again meanwhile.
void Oracle::withdrawal_written(const TaskId& task, Submitter submitter) {
    Known& known = tasks_[task];
    check_withdrawal(task, submitter, known);
    known.is_withdrawal_written = true;
    if (!std::exchange(known.is_being_withdrawn, false)) return;
    for (const Execution& execution : known.executions)
        known.withdrawn.insert(execution.claim);
}

// Who leaves a task asks whether another submitter waits. One that has only just come may not be known yet.
void Oracle::check_withdrawal(const TaskId& task, Submitter submitter, const Known& known) {
    auto counts = [&](const auto& waiting) {
        return waiting.first != submitter && agenda_.now() >= waiting.second.since + 6s;
    };
    if (is_calm_ && std::ranges::any_of(known.waiting, counts))
        violated(task, "withdrawn although somebody waits for it");
}

// The answer of a task that may have been done twice must say so.
void Oracle::check_doubt(const TaskId& task, const Known& known) {
    if (known.doubtful.contains(known.answered) && known.answer && !known.was_told)
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

void Oracle::answered(const TaskId& task, Submitter submitter, Outcome outcome, bool was_lost) {
    Known& known = tasks_[task];
    if (known.waiting.erase(submitter) == 0) violated(task, "answered, but nobody waits");
    known.is_being_withdrawn = false;
    known.answer = outcome;
    known.answered = submitter;
    known.was_told = was_lost || outcome == Outcome::agent_lost;
    check_response(task, known);
    const bool is_lost = outcome == Outcome::agent_lost || was_lost;
    // Who submits a task again may find that another submitter's host has purged its record.
    const bool may_be_purged = known.submissions > known.submitters.size();
    if (is_calm_ && is_lost && !may_be_purged) violated(task, "lost without a fault");
    if (outcome == Outcome::invalid) violated(task, "refused for no reason");
    check_doubt(task, known);
}

void Oracle::check_end() {
    for (const auto& [task, known] : tasks_) {
        if (!known.waiting.empty()) violated(task, "never answered");
        for (const Execution& execution : known.executions)
            if (execution.state == Execution::State::running) violated(task, "an agent still works on it");
    }
}

}  // namespace hosts
