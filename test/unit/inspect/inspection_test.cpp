#include "inspect/format.hpp"
#include "inspection_helper.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>

using namespace inspect;
using namespace statelog;
using Catch::Matchers::Contains;
using std::chrono::milliseconds;
using State = InspectedTask::State;
using Status = InspectedLog::Status;

namespace {

const StepSummary& row(const std::vector<StepSummary>& rows, std::uint32_t step, bool is_finally = false) {
    auto found = std::ranges::find_if(
        rows, [&](const StepSummary& r) { return r.step.value == step && r.is_finally == is_finally; });
    REQUIRE(found != rows.end());
    return *found;
}

}  // namespace

TEST_CASE("a_task_and_its_retries_are_one_and_a_finally_is_one_of_its_own") {
    Inspected log = inspected(over);
    CHECK(log.inspection.tasks().size() == 4);
    CHECK(log.inspection.find({2}) == log.inspection.find({3}));
    CHECK(log.task(2).attempts == 2);
    CHECK(log.inspection.last_id(log.task(2)) == workflow::TaskId{3});
    CHECK(log.task(4).finally_for == log.inspection.find({0}));
    CHECK(log.task(0).finally == log.inspection.find({4}));
    CHECK_FALSE(log.inspection.find({5}));
}

TEST_CASE("each_task_stands_where_the_log_leaves_it") {
    Inspected middle = inspected(retried);
    CHECK(middle.task(0).state == State::waiting);
    CHECK(middle.task(0).waits_for == 2);
    CHECK(middle.task(1).state == State::pending);
    CHECK(middle.task(3).state == State::pending);
    Inspected end = inspected(over);
    CHECK(end.task(0).state == State::done);
    CHECK(end.task(1).state == State::dropped);
    CHECK(end.task(2).state == State::done);
    CHECK(end.task(4).state == State::done);
}

TEST_CASE("a_finally_that_is_due_and_not_in_the_log_is_pending") {
    Inspected log = inspected(initial_log + succeeded(0, "[]"));
    CHECK(log.task(0).state == State::done);
    CHECK(log.task(0).finally_due);
    CHECK(row(log.inspection.summarise(*log.replay->config()), 0, true).pending == 1);
    CHECK(log.log().status() == Status::stopped);
    CHECK_THAT(log.shown(), Contains("A (finally)        1  due after task 0"));
    CHECK_THAT(log.story(0), Contains("finally  due: it comes first when the run is resumed"));
}

TEST_CASE("steps_are_counted_with_their_retries_and_durations") {
    Inspected log = inspected(over);
    auto rows = log.inspection.summarise(*log.replay->config());
    REQUIRE(rows.size() == 3);
    const StepSummary& b = row(rows, 1);
    CHECK(b.done == 1);
    CHECK(b.dropped == 1);
    CHECK(b.retried == 1);
    CHECK(b.timed == 3);
    CHECK(b.total == milliseconds(4000));
    CHECK(b.longest == milliseconds(2000));
    CHECK(row(rows, 0).done == 1);
    CHECK(row(rows, 0, true).done == 1);
    CHECK(row(inspected(retried).inspection.summarise(*log.replay->config()), 0).waiting == 1);
}

TEST_CASE("a_duration_is_from_the_start_or_else_from_the_submission") {
    Time zero{};
    auto after = [&](std::int64_t ms) { return Time(milliseconds(ms)); };
    InspectedAttempt attempt;
    CHECK_FALSE(attempt.duration());
    attempt.submitted = zero;
    attempt.ended = after(500);
    CHECK(attempt.duration() == milliseconds(500));
    attempt.started = after(400);
    CHECK(attempt.duration() == milliseconds(100));
    attempt.ended = after(300);
    CHECK_FALSE(attempt.duration());
    CHECK_FALSE(span(after(INT64_MIN), after(INT64_MAX)));
    CHECK(span(after(-5), after(5)) == milliseconds(10));
}

TEST_CASE("a_log_is_running_stopped_or_finished") {
    CHECK(inspected(retried, Use::held).log().status() == Status::running);
    CHECK(inspected(retried).log().status() == Status::stopped);
    CHECK(inspected(retried, Use::unknown).log().status() == Status::unknown);
    CHECK(inspected(over).log().status() == Status::finished);
    CHECK(inspected(over, Use::held).log().status() == Status::finished);
    CHECK_THAT(inspected(retried).shown(),
               Contains("not running, 2 tasks to do; resume it with:\n  resume LOG\n"));
    CHECK_THAT(inspected(retried, Use::held).shown(), Contains("\nrunning, 2 tasks to do\n"));
    CHECK_THAT(inspected(over).shown(), Contains("\nfinished, 1 dropped\n"));
}

TEST_CASE("durations_sizes_and_texts_are_written_for_people") {
    auto text = [](std::int64_t ms) { return duration_text(milliseconds(ms)); };
    CHECK(duration_text(std::nullopt) == "-");
    CHECK(text(0) == "0 ms");
    CHECK(text(350) == "350 ms");
    CHECK(text(2000) == "2.0 s");
    CHECK(text(59'999) == "59.9 s");
    CHECK(text(200'000) == "3 min 20 s");
    CHECK(text(7'500'000) == "2 h 5 min");
    CHECK(text(277'200'000) == "3 d 5 h");
    CHECK(size_text(1) == "1 byte");
    CHECK(size_text(12'345) == "12.3 kB");
    CHECK(size_text(4'000'000) == "4.0 MB");
    CHECK(clipped("äöü", 2) == "äö…");
    CHECK(clipped("äöü", 3) == "äöü");
    Table table({{"é"}, {"n", Table::Align::right}});
    table.add({"ab", "10"});
    table.add({"ü", ""});
    CHECK(table_text(table, " ") == " é    n\n ab  10\n ü\n");
}

TEST_CASE("times_are_local") {
    ::setenv("TZ", "UTC-2", 1);
    ::tzset();
    CHECK(time_text(Time(milliseconds(1795254391466))) == "2026-11-21 11:46:31");
    ::unsetenv("TZ");
    ::tzset();
    CHECK(time_text(std::nullopt) == "-");
    CHECK(time_text(Time(milliseconds(INT64_MAX))).size() > 10);
}
