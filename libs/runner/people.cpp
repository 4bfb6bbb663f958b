#include "runner/people.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "statelog/expiry.hpp"

#include <utility>
#include <variant>

namespace runner {

using workflow::TaskId;

namespace {

base::Error refusal(TaskId task, std::string_view why) {
    return base::invalid(base::concat("task ", task.value, " ", why));
}

}  // namespace

People::People(const boost::asio::any_io_executor& executor, const config::WorkflowConfig& config,
               const workflow::State& state, Ledger& ledger, Observer* observer,
               std::map<TaskId, statelog::Time> asked_since, Callbacks callbacks)
    : config_(config),
      state_(state),
      ledger_(ledger),
      observer_(observer),
      callbacks_(std::move(callbacks)),
      questions_(executor, config, [this](TaskId task) { expire(task); }),
      asked_since_(std::move(asked_since)) {}

Attempt People::attempt_of(TaskId task) const {
    Attempt attempt = attempt_at(task, *state_.find(task));
    if (auto since = questions_.since(task)) attempt.started = *since;
    return attempt;
}

// Asks the questions that are durable, and past no bound. A task that became a question later has a larger
// number.
void People::ask() {
    std::uint64_t before = ledger_.startable_before();
    auto next = state_.asked.lower_bound(next_question_);
    while (next != state_.asked.end() && state_.find(*next)->turn < before) {
        TaskId task = *next++;  // before it may be removed
        next_question_ = TaskId{task.value + 1};
        ask_about(task);
    }
    for (EarlyAnswer& early : std::exchange(early_answers_, {}))
        answer(std::move(early.answer), std::move(early.done));
}

void People::ask_about(TaskId task) {
    if (callbacks_.stand_in) return callbacks_.stand_in(task);
    auto earlier = asked_since_.find(task);
    statelog::Time since = earlier == asked_since_.end() ? statelog::now() : earlier->second;
    config::StepId step = state_.find(task)->step;
    questions_.add(task, step, since);
    Attempt attempt = attempt_of(task);
    if (observer_) observer_->started(attempt);
    if (observer_) observer_->entered(attempt, workflow::Phase::human);
    auto end = statelog::expiry(config_.step(step), since);
    if (end && *end <= statelog::now()) return expire(task);
    io::log::info(label(config_, attempt), ": waiting for a human (barnum answer)");
}

void People::answer(workflow::PersonsAnswer answer, Answered done) {
    TaskId task = answer.task;
    auto first = unconfirmed_.find(task);
    if (first != unconfirmed_.end()) return first->second.late.push_back(std::move(done));
    const bool is_asked = state_.asked.contains(task);
    if (is_asked && is_closed_) return done(refusal(task, "can't be answered: the run is about to end"));
    if (is_asked && !(task < next_question_)) {
        early_answers_.push_back({std::move(answer), std::move(done)});
        return;
    }
    // A question that was dropped is known until that is durable.
    if (!is_asked || !questions_.since(task)) return done(refusal(task, "does not wait for a person"));
    auto result = workflow::result_of(config_, config_.step(state_.find(task)->step), answer);
    if (!result) return done(refusal(task, base::concat("can't have this answer: ", result.error().message)));
    unconfirmed_.emplace(task, Unconfirmed{answer.user, std::move(done), {}});
    ledger_.enter_answer(attempt_of(task), std::move(*result), {std::move(answer.user)});
    callbacks_.wake();
}

void People::expire(TaskId task) {
    if (!state_.asked.contains(task) || is_closed_) return;
    Attempt attempt = attempt_of(task);
    ledger_.enter(std::move(attempt), {workflow::expired_failure()});
    callbacks_.wake();
}

void People::decided(const Decision& decision) {
    questions_.remove(decision.attempt.task);
    if (decision.completed().answered) confirm(decision);
}

void People::confirm(const Decision& decision) {
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

void People::refuse_unconfirmed() {
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

bool People::take_news() {
    return std::exchange(told_until_, next_question_) != next_question_;
}

void People::close() {
    is_closed_ = true;
    questions_.stop_clock();
}

}  // namespace runner
