// The part of a run that people have: their questions, and what follows from their answers.
#include "base/text.hpp"
#include "io/log.hpp"
#include "runner/runner.hpp"
#include "statelog/expiry.hpp"

#include <algorithm>
#include <utility>

namespace runner {

using Status = workflow::Task::Status;
using workflow::TaskId;

namespace {

base::Error refusal(TaskId task, std::string_view why) {
    return base::invalid(base::concat("task ", task.value, " ", why));
}

}  // namespace

Attempt Runner::attempt_of_question(TaskId task) const {
    Attempt attempt = attempt_at(task, *state_.find(task));
    if (auto since = questions_.since(task)) attempt.started = *since;
    return attempt;
}

// Asks the questions that are durable, and past no bound. A task that became a question later has a larger
// number.
void Runner::ask_questions() {
    std::uint64_t before = ledger_.startable_before();
    auto next = state_.asked.lower_bound(next_question_);
    while (next != state_.asked.end() && state_.find(*next)->turn < before) {
        TaskId task = *next++;  // before it may be removed
        next_question_ = TaskId{task.value + 1};
        ask(task);
    }
    for (EarlyAnswer& early : std::exchange(early_answers_, {}))
        answer(std::move(early.answer), std::move(early.done));
}

// A substitute that makes results up answers at once.
void Runner::ask(TaskId task) {
    auto earlier = asked_since_.find(task);
    statelog::Time since = earlier == asked_since_.end() ? statelog::now() : earlier->second;
    config::StepId step = state_.find(task)->step;
    if (&attempts_ != &attempt_executor_) {
        ++in_progress_;
        tasks_.spawn(base::concat("question ", task.value), run_attempt(start(task), Job()));
        return;
    }
    questions_.add(task, step, since);
    Attempt attempt = attempt_of_question(task);
    if (observer_) observer_->started(attempt);
    if (observer_) observer_->entered(attempt, workflow::Phase::human);
    auto end = statelog::expiry(config_.step(step), since);
    if (end && *end <= statelog::now()) return expire(task);
    io::log::info(label(config_, attempt), ": waiting for a human (barnum answer)");
}

void Runner::answer(workflow::PersonsAnswer answer, Answered done) {
    TaskId task = answer.task;
    auto first = unconfirmed_.find(task);
    if (first != unconfirmed_.end()) return first->second.late.push_back(std::move(done));
    if (state_.asked.contains(task) && !(task < next_question_) && !ended_early_) {
        early_answers_.push_back({std::move(answer), std::move(done)});
        return;
    }
    // A question that was dropped is known until that is durable.
    if (!questions_.since(task) || !state_.asked.contains(task))
        return done(refusal(task, "does not wait for a person"));
    if (ended_early_) return done(refusal(task, "can't be answered: the run is about to end"));
    auto result = workflow::result_of(config_, config_.step(state_.find(task)->step), answer);
    if (!result) return done(refusal(task, base::concat("can't have this answer: ", result.error().message)));
    unconfirmed_.emplace(task, Unconfirmed{answer.user, std::move(done), {}});
    ledger_.enter_answer(attempt_of_question(task), std::move(*result), {std::move(answer.user)});
    wake();
}

void Runner::expire(TaskId task) {
    if (!state_.asked.contains(task) || ended_early_) return;
    Attempt attempt = attempt_of_question(task);
    ledger_.enter(std::move(attempt), {workflow::expired_failure()});
    wake();
}

// The answer is durable.
void Runner::confirm(const Decision& decision) {
    auto waiting = unconfirmed_.extract(decision.attempt.task);
    if (!waiting) return;
    const auto* succeeded = std::get_if<workflow::Succeeded>(&decision.completed().outcome);
    std::string text = succeeded
                           ? base::concat("is answered; ", base::counted(succeeded->spawned.size(), "task"),
                                          succeeded->spawned.size() == 1 ? " follows" : " follow")
                           : "is rejected";
    waiting.mapped().done(base::concat("task ", decision.attempt.task.value, " ", text));
    for (Answered& late : waiting.mapped().late)
        late(refusal(decision.attempt.task,
                     base::concat("was answered by ", waiting.mapped().user, "; one answer counts")));
}

void Runner::refuse_unconfirmed() {
    auto refuse = [](TaskId task, const Answered& done) {
        done(refusal(task, "can't be answered: the run ended before the answer was in its state log"));
    };
    for (auto& [task, answer] : std::exchange(unconfirmed_, {})) {
        refuse(task, answer.done);
        for (Answered& late : answer.late)
            refuse(task, late);
    }
    for (EarlyAnswer& early : std::exchange(early_answers_, {}))
        refuse(early.answer.task, early.done);
}

// Whether nothing can be done before a person answers.
bool Runner::is_waiting() const {
    if (state_.asked.empty() || in_progress_ > 0 || !finished_.empty() || !ledger_.is_durable()) return false;
    return questions_.size() == state_.asked.size() &&
           std::ranges::all_of(state_.tasks, [](const auto& entry) {
               return entry.second.status == Status::asked || entry.second.status == Status::waiting;
           });
}

void Runner::note_waiting() {
    bool was_waiting = std::exchange(is_waiting_, is_waiting());
    if (ended_early_ || wind_down_ || was_waiting || !is_waiting_) return;
    if (on_waiting_ && std::exchange(told_until_, next_question_) != next_question_)
        on_waiting_(questions_.size());
    if (exit_when_waiting_)
        give_up(Outcome::End::waiting,
                base::concat(base::counted(questions_.size(), "task"), " waiting for a human"));
}

}  // namespace runner
