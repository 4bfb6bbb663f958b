// The trace of a log that grows, against the inspection of the part of it that counts.
#include "trace/trace.hpp"

#include "inspect/inspection.hpp"
#include "life.hpp"
#include "log_model.hpp"
#include "random.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <utility>

using namespace sim;
using inspect::InspectedAttempt;
using inspect::InspectedTask;
using workflow::TaskSubmitted;

namespace {

// What comes of the first `bytes` of a log, all of which count.
struct Inspected {
    inspect::Inspection inspection;
    statelog::Replay replay;

    Inspected(std::string_view text)
        : replay("LOG", [this](const statelog::Replay& at, const statelog::Record& record) {
              inspection.add(at, record);
          }) {
        replay.feed(text).value();
        inspection.conclude(replay);
    }
};

bool is_time(double traced, std::optional<statelog::Time> time) {
    return time ? traced == static_cast<double>(time->time_since_epoch().count()) : std::isnan(traced);
}

void check_end(const trace::Trace& trace, const trace::Attempt& attempt, const InspectedAttempt& wanted) {
    bool is_ended = wanted.outcome != InspectedAttempt::Outcome::none;
    REQUIRE((attempt.completion != trace::absent) == is_ended);
    if (!is_ended) return;
    trace::Completion end = trace.completion(attempt.completion);
    CHECK(trace.attempt(end.row).id == attempt.id);
    CHECK(end.offset == wanted.completed_at);
    CHECK(is_time(end.started, wanted.started));
    CHECK(is_time(end.ended, wanted.ended));
    CHECK((end.outcome == trace::Outcome::succeeded) ==
          (wanted.outcome == InspectedAttempt::Outcome::succeeded));
    CHECK((end.outcome == trace::Outcome::retried) == wanted.next.has_value());
    CHECK((end.reason != 0) == (wanted.outcome == InspectedAttempt::Outcome::failed));
    unsigned flags = 0;
    for (auto [flag, is_set] : {std::pair(trace::reused, wanted.is_reused),
                                {trace::answered, wanted.is_answered},
                                {trace::no_attempt, wanted.is_past_bound},
                                {trace::has_report, wanted.has_report},
                                {trace::has_measured, wanted.has_measured},
                                {trace::lenient, wanted.is_lenient}})
        if (is_set) flags |= flag;
    CHECK(end.flags == flags);
}

void check_attempt(const trace::Trace& trace, trace::Row row, const inspect::Inspection& inspection) {
    const InspectedAttempt& wanted = inspection.attempts()[row];
    const InspectedTask& task = inspection.tasks()[wanted.task];
    trace::Attempt attempt = trace.attempt(row);
    CHECK(attempt.id == wanted.id.value);
    CHECK(attempt.offset == wanted.submitted_at);
    CHECK(is_time(attempt.submitted, wanted.submitted));
    CHECK(attempt.step == task.step.value);
    CHECK(attempt.is_finally == task.finally_for.has_value());
    CHECK(attempt.next == wanted.next.value_or(trace::absent));
    CHECK(trace.first_of(row) == task.first);
    CHECK(trace.last_of(row) == task.last);
    CHECK((attempt.origin == trace::Origin::retry) == (row != task.first));
    if (task.finally_for && row == task.first)
        CHECK(attempt.of == inspection.tasks()[*task.finally_for].last);
    if (task.parent)
        CHECK(trace.attempt(attempt.parent).id == task.parent->value);
    else
        CHECK(attempt.parent == trace::absent);
    CHECK(trace.find(attempt.id) == row);
    check_end(trace, attempt, wanted);
}

void check_counts(const trace::Counts& counts, const inspect::StepSummary& wanted, std::uint64_t due) {
    CHECK(counts.done == wanted.done + wanted.waiting);
    CHECK(counts.dropped == wanted.dropped);
    CHECK(counts.open() == wanted.pending - due);
    CHECK(counts.retried == wanted.retried);
    CHECK(counts.timed == wanted.timed);
    CHECK(counts.total_ms == static_cast<double>(wanted.total.count()));
    CHECK(counts.longest_ms == static_cast<double>(wanted.longest.count()));
}

void check_sums(const trace::Trace& trace, const Inspected& wanted) {
    std::map<std::uint32_t, std::uint64_t> due;  // finallys that are not in the log
    for (const InspectedTask& task : wanted.inspection.tasks())
        if (task.finally_due) ++due[task.step.value];
    for (const inspect::StepSummary& row : wanted.inspection.summarise(*wanted.replay.config())) {
        const trace::Tally& tally = trace.tallies()[row.step.value];
        if (row.is_finally)
            check_counts(tally.finallys, row, due[row.step.value]);
        else
            check_counts(tally.tasks, row, 0);
    }
    CHECK(trace.usage() == wanted.replay.usage());
    CHECK(trace.first_time() == wanted.inspection.first_time());
    CHECK(trace.last_time() == wanted.inspection.last_time());
}

void check_trace(const trace::Trace& trace, std::string_view committed) {
    Inspected wanted(committed);
    const auto& attempts = wanted.inspection.attempts();
    REQUIRE(trace.position().rows == attempts.size());
    for (trace::Row row = 0; row < attempts.size(); ++row)
        check_attempt(trace, row, wanted.inspection);
    check_sums(trace, wanted);
}

// The position after the first `count` entries.
trace::Position position_after(const Log& log, std::size_t count) {
    trace::Position position;
    for (std::size_t i = 0; i < count; ++i)
        ++(std::holds_alternative<TaskSubmitted>(log.entries[i]) ? position.rows : position.completions);
    return position;
}

std::string batch_since(const trace::Trace& trace, trace::Position from) {
    std::string batch;
    CHECK(trace.append_batch(batch, from) == trace.position());
    return batch;
}

Log log_of(std::uint32_t seed) {
    Workload workload(seed, {200, true});
    Life life(workload, seed);
    life.play();
    return life.log();
}

}  // namespace

TEST_CASE("trace: fed with one byte after the other, it has what counts") {
    Log log = log_of(4);
    auto counts = committed_counts(log.entries);
    trace::Trace trace("LOG");
    std::size_t line = 0;
    for (std::size_t at = 0; at < log.text.size(); ++at) {
        REQUIRE(trace.feed(std::string_view(log.text).substr(at, 1)).has_value());
        if (line < log.ends.size() && at + 1 == log.ends[line]) ++line;
        std::size_t count = line < log.born ? 0 : counts[line];
        if (trace.position() != position_after(log, count)) FAIL("after byte " << at);
        if (at + 1 == log.ends[line > 0 ? line - 1 : 0] && count > 0 && line % 7 == 0)
            check_trace(trace, std::string_view(log.text).substr(0, log.ends[count - 1]));
    }
    CHECK(line == log.ends.size());
}

TEST_CASE("trace: logs fed in random pieces give the same as their inspections") {
    for (std::uint32_t seed = 1; seed <= workflow_test::scaled(150, 30); ++seed) {
        INFO("seed " << seed);
        Log log = log_of(seed);
        workflow_test::Random random(seed);
        trace::Trace trace("LOG");
        trace::Trace whole("LOG");
        REQUIRE(whole.feed(log.text).has_value());
        trace::Position seen;
        for (std::size_t at = 0; at < log.text.size();) {
            std::size_t size = random.below(random.one_in(4) ? 20'000 : 700);
            REQUIRE(trace.feed(std::string_view(log.text).substr(at, size)).has_value());
            at += size;
            REQUIRE(whole.contains(trace.position()));
            seen = trace.position();
        }
        CHECK(seen == whole.position());
        CHECK(batch_since(trace, {}) == batch_since(whole, {}));
        check_trace(trace, log.text);
    }
}
