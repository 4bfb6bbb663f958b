#include "live_run/recorded_task.hpp"

#include "inspect/read_file.hpp"
#include "inspect/report.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"

#include <cstdint>
#include <utility>

namespace live_run {

namespace {

using inspect::InspectedAttempt;
using Result = std::optional<workflow::AttemptResult>;

base::Result<Result> result_of(const inspect::InspectedLog& log, const InspectedAttempt& attempt) {
    if (attempt.outcome == InspectedAttempt::Outcome::none) return Result();
    if (attempt.outcome == InspectedAttempt::Outcome::failed) {
        auto failure = inspect::read_failure(log, attempt);
        return failure ? base::Result<Result>(std::move(*failure)) : failure.error();
    }
    auto response = inspect::read_response(log, attempt);
    return response ? base::Result<Result>(std::move(*response)) : response.error();
}

// What the run has told the last attempt of those before it.
base::Result<workflow::PreviousAttempts> previous_of(const inspect::InspectedLog& log,
                                                     const inspect::InspectedTask& task) {
    workflow::PreviousAttempts previous;
    if (!log.replay.config()->step(task.step).options.retry_feedback) return previous;
    const auto& attempts = log.inspection.attempts();
    std::uint32_t number = 1;
    for (std::uint32_t at = task.first; at != task.last; at = attempts[at].next.value(), ++number) {
        if (number + workflow::previous_attempts_kept < task.attempts) continue;
        auto failure = inspect::read_failure(log, attempts[at]);
        if (!failure) return failure.error();
        previous = workflow::with_attempt(previous, {number, failure->message, failure->response});
    }
    return previous;
}

base::Result<RecordedTask> read_task(const inspect::InspectedLog& log, std::uint32_t index) {
    const inspect::InspectedTask& task = log.inspection.tasks()[index];
    const InspectedAttempt& last = log.inspection.attempts()[task.last];
    auto value = inspect::read_value(log, task);
    if (!value) return value.error();
    auto result = result_of(log, last);
    if (!result) return result.error();
    auto previous = previous_of(log, task);
    if (!previous) return previous.error();
    runner::Attempt attempt{
        last.id, task.step, task.attempts, std::move(*value), task.finally_for.has_value(), {}};
    if (task.finally_for)
        attempt.finally_of = log.inspection.attempts()[log.inspection.tasks()[*task.finally_for].last].id;
    attempt.previous = std::move(*previous);
    return RecordedTask{log.replay.config(), std::move(attempt), std::move(*result)};
}

}  // namespace

base::Result<RecordedTask> read_recorded_task(const std::string& log, std::size_t id) {
    auto fd = statelog::open_log(log);
    if (!fd) return base::invalid(fd.error().message);
    auto file = inspect::inspect_file(fd->get(), log);
    if (!file) return file.error();
    auto index = file->inspection.find({id});
    if (!index) return base::invalid(inspect::no_such_task(file->inspection, log, {id}));
    inspect::InspectedLog inspected{
        file->inspection,
        file->log.replay,
        file->log.tail,
        log,
        statelog::Use::unknown,
        {},
        "",
        "",
        statelog::now(),
        [&](std::uint64_t offset) { return statelog::read_line(fd->get(), log, offset); }};
    return read_task(inspected, *index);
}

}  // namespace live_run
