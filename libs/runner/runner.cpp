#include "runner/runner.hpp"

#include "base/text.hpp"
#include "io/internal_error.hpp"
#include "runner/redacted.hpp"
#include "workflow/bounds.hpp"
#include "workflow/counts.hpp"
#include "workflow/rules.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace runner {

namespace asio = boost::asio;
using workflow::TaskId;

Runner::Runner(asio::any_io_executor executor, const config::WorkflowConfig& config, Settings settings,
               statelog::Start start)
    : executor_(executor),
      config_(config),
      state_(std::move(start.state)),
      ledger_(config, state_, settings.journal, std::move(settings.take_result), settings.results,
              settings.bounds),
      jobs_(executor, settings.jobs, [this] { wake(); }),
      observer_(settings.observer),
      redaction_(settings.output.redaction),
      submission_limit_(executor, config, settings.agents),
      attempt_executor_(config, std::move(settings.run_id), std::move(settings.first_run_id), jobs_,
                        settings.submitter, settings.observer, submission_limit_, settings.output,
                        settings.results, std::move(settings.attempts_directory),
                        pool_callbacks(settings.budget.has_value() || settings.journal != nullptr)),
      attempts_(settings.stand_in ? *settings.stand_in : attempt_executor_),
      tasks_(executor, io::end_process),
      commits_(executor, io::end_process),
      wake_timer_(executor),
      bounds_(settings.bounds),
      usage_(executor, tasks_, state_, {std::move(start.usage), std::move(start.running_usage)},
             settings.budget, usage_callbacks()),
      people_(executor, config, state_, ledger_, observer_, std::move(start.asked_since), people_callbacks()),
      exit_when_waiting_(settings.exit_when_waiting),
      on_waiting_(std::move(settings.on_waiting)) {
    note_earlier(start);
}

UsageMeter::Callbacks Runner::usage_callbacks() {
    return {[this](TaskId task, const workflow::AttemptUsage& used) {
                ledger_.note_usage(task, used);
                wake();
            },
            [this](std::string message) { wind_down(Outcome::End::budget_spent, std::move(message)); }};
}

// A substitute that makes results up answers at once.
People::Callbacks Runner::people_callbacks() {
    People::Callbacks callbacks{[this] { wake(); }, {}};
    if (&attempts_ != &attempt_executor_)
        callbacks.stand_in = [this](TaskId task) {
            ++in_progress_;
            tasks_.spawn(base::concat("question ", task.value), run_attempt(start(task), Job()));
        };
    return callbacks;
}

// The tasks that ended before the run was resumed.
void Runner::note_earlier(const statelog::Start& start) {
    outcome_.tasks_before = workflow::tasks_ended(state_.steps);
    outcome_.dropped_count = start.dropped_count;
    for (const statelog::DroppedRecord& task : start.dropped)
        outcome_.dropped.push_back({label(config_, {task.task, task.step, 1, nullptr, task.is_finally, {}}),
                                    redacted(redaction_.get(), task.failure.message)});
}

asio::awaitable<Outcome> Runner::run() {
    auto started = std::chrono::steady_clock::now();
    bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    cancellation_ = co_await asio::this_coro::cancellation_state;
    if (observer_) observer_->begun(state_);
    ledger_.enter_due();
    usage_.check_budget();
    begin_time_limit();
    while (!is_over()) {
        if (is_cancelled()) {
            give_up(Outcome::End::cancelled, "");
            break;
        }
        if (!wind_down_) ledger_.complete_without_attempt();
        begin_commit();
        if (!wind_down_) ledger_.complete_without_attempt();  // while the disk is busy
        people_.ask();
        start_ready();
        note_waiting();
        co_await wait_for_wake();
        enter_results();
    }
    time_limit_.reset();
    people_.close();
    if (!ended_early_ && !state_.over()) give_up(wind_down_->end, wind_down_->message);
    co_await shut_down();
    co_await asio::this_coro::throw_if_cancelled(throws);
    co_return outcome(started);
}

bool Runner::is_over() const {
    bool has_stopped = wind_down_ && in_progress_ == 0 && finished_.empty();
    return ended_early_ || ((state_.over() || has_stopped) && ledger_.is_durable());
}

bool Runner::is_cancelled() const {
    return cancellation_.cancelled() != asio::cancellation_type::none;
}

// Results that have arrived by now are still written. A cancelled attempt has no result.
asio::awaitable<void> Runner::shut_down() {
    tasks_.cancel();
    co_await tasks_.join();
    enter_results();
    usage_.note_all();
    while (outcome_.end != Outcome::End::log_failed && !ledger_.is_durable()) {
        begin_commit();
        co_await commits_.join();
    }
    co_await commits_.join();
    people_.refuse_unconfirmed();
}

asio::awaitable<void> Runner::wait_for_wake() {
    if (!awake_) {
        wake_timer_.expires_at(asio::steady_timer::time_point::max());
        boost::system::error_code ignored;
        co_await wake_timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    awake_ = false;
}

void Runner::wake() {
    if (awake_) return;
    awake_ = true;
    wake_timer_.cancel();
}

void Runner::start_ready() {
    bool awake = awake_;
    bool was_winding_down = wind_down_.has_value();
    while (auto started = start_next()) {
        std::string name = base::concat("attempts starting with task ", started->attempt.task.value);
        tasks_.spawn(std::move(name), run_attempt(std::move(started->attempt), std::move(started->job)));
    }
    // Jobs that were released meanwhile are no reason to wake; attempts that ended at once are.
    bool winds_down_now = wind_down_ && !was_winding_down;
    awake_ = awake || !finished_.empty() || ended_early_ || winds_down_now;
}

// A task that begins with a local process gets its job here, so that no coroutine is made only to wait for
// one.
std::optional<Runner::Started> Runner::start_next() {
    if (ended_early_ || wind_down_ || is_paused_ || is_cancelled()) return std::nullopt;
    Job job = jobs_.try_acquire();
    auto task = workflow::take_ready(config_, state_, static_cast<bool>(job), ledger_.startable_before());
    if (!task) return std::nullopt;
    if (workflow::lane(config_, *state_.find(*task)) == workflow::Lane::pool) job.release();
    ++in_progress_;
    return Started{start(*task), std::move(job)};
}

Attempt Runner::start(TaskId id) {
    const workflow::Task& task = *state_.find(id);
    Attempt attempt = attempt_at(id, task);
    attempt.previous = state_.previous_of(id);
    if (observer_) observer_->started(attempt);
    announce_start(attempt, workflow::lane(config_, task) == workflow::Lane::pool);
    return attempt;
}

// One coroutine for many attempts: making a coroutine costs as much as everything else that the engine does
// for a task.
asio::awaitable<void> Runner::run_attempt(Attempt attempt, Job job) {
    while (true) {
        base::Result<workflow::AttemptEnd> end = co_await attempts_.run(attempt, std::move(job));
        --in_progress_;
        if (!end) {
            if (end.error().code == boost::system::errc::operation_canceled)
                put_back(attempt);
            else if (!wind_down_)
                give_up(Outcome::End::pool_unreachable, std::move(end.error().message));
            wake();
            co_return;
        }
        usage_.ended(attempt.task, attempt.step, end->report);
        bool holds_place = workflow::holds_place(config_, attempt.step);
        finished_.push_back({std::move(attempt), std::move(*end)});
        wake();
        if (holds_place) co_return;  // what waits for it may come before all others: see start_ready()
        auto next = start_next();
        if (!next) co_return;
        attempt = std::move(next->attempt);
        job = std::move(next->job);
    }
}

void Runner::enter_results() {
    for (Finished& finished : std::exchange(finished_, {}))
        ledger_.enter(std::move(finished.attempt), std::move(finished.end));
}

void Runner::begin_commit() {
    if (committing_ || !ledger_.has_uncommitted()) return;
    committing_ = true;
    commits_.spawn("state log", commit());
}

asio::awaitable<void> Runner::commit() {
    base::Result<std::vector<Decision>> decisions = co_await ledger_.commit();
    if (!decisions) {
        log_failed(decisions.error());
        co_return;
    }
    for (const Decision& decision : *decisions)
        announce(decision);
    committing_ = false;  // the loop runs before commits_ knows that this has ended
    wake();
}

void Runner::log_failed(base::Error error) {
    give_up(Outcome::End::log_failed, std::move(error.message));
}

asio::awaitable<void> Runner::await_retry(TaskId task, std::chrono::milliseconds delay) {
    asio::steady_timer timer(executor_, delay);
    co_await timer.async_wait(asio::use_awaitable);
    const workflow::Task* delayed = state_.find(task);  // none if it was dropped meanwhile
    if (!delayed || delayed->status != workflow::Task::Status::delayed) co_return;
    workflow::make_due(state_, task);
    wake();
}

void Runner::give_up(Outcome::End end, std::string message) {
    if (!ended_early_ || end == Outcome::End::log_failed) {
        outcome_.end = end;
        outcome_.message = std::move(message);
    }
    ended_early_ = true;
    people_.close();
    wake();
}

// Whether nothing can be done before a person answers.
bool Runner::is_waiting() const {
    using Status = workflow::Task::Status;
    if (state_.asked.empty() || in_progress_ > 0 || !finished_.empty() || !ledger_.is_durable()) return false;
    return people_.size() == state_.asked.size() && std::ranges::all_of(state_.tasks, [](const auto& entry) {
               return entry.second.status == Status::asked || entry.second.status == Status::waiting;
           });
}

void Runner::note_waiting() {
    bool was_waiting = std::exchange(is_waiting_, is_waiting());
    if (ended_early_ || wind_down_ || was_waiting || !is_waiting_) return;
    if (on_waiting_ && people_.take_news()) on_waiting_(people_.size());
    if (exit_when_waiting_)
        give_up(Outcome::End::waiting,
                base::concat(base::counted(people_.size(), "task"), " waiting for a human"));
}

Outcome Runner::outcome(std::chrono::steady_clock::time_point started) {
    outcome_.steps = ledger_.steps();
    outcome_.unfinished = ledger_.unfinished();
    if (const workflow::Budget* budget = usage_.budget()) outcome_.budget = *budget;
    outcome_.usage = usage();
    if (outcome_.end == Outcome::End::finished)
        outcome_.message = workflow::past_bounds_text(config_, outcome_.steps);
    outcome_.elapsed = std::chrono::steady_clock::now() - started;
    return std::move(outcome_);
}

}  // namespace runner
