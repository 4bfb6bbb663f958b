#include "pool_events.hpp"

namespace {

std::uint64_t answered(const Statistics& statistics) {
    return statistics.processed + statistics.timed_out + statistics.stopped + statistics.failed;
}

}  // namespace

TEST_CASE("an empty histogram has no durations") {
    Histogram histogram;
    CHECK(histogram.count() == 0);
    CHECK(histogram.quantile(0.5) == 0us);
    CHECK(histogram.max() == 0us);
}

TEST_CASE("quantiles of short durations are exact") {
    Histogram histogram;
    for (int i = 1; i <= 30; ++i)
        histogram.add(std::chrono::microseconds(i));
    CHECK(histogram.count() == 30);
    CHECK(histogram.quantile(0.5) == 15us);
    CHECK(histogram.quantile(0.9) == 27us);
    CHECK(histogram.quantile(1) == 30us);
    CHECK(histogram.max() == 30us);
}

TEST_CASE("quantiles are off by at most a 32nd, for any duration") {
    for (std::int64_t value = 1; value < std::int64_t{1} << 44; value = value * 9 / 8 + 1) {
        Histogram histogram;
        histogram.add(std::chrono::microseconds(value));
        histogram.add(std::chrono::hours(24 * 10'000));
        std::int64_t median = histogram.quantile(0.5).count();
        INFO(value << " is told as " << median);
        CHECK(std::abs(median - value) <= value / 32 + 1);
    }
}

TEST_CASE("no quantile is beyond the maximum") {
    Histogram histogram;
    histogram.add(1000us);
    CHECK(histogram.quantile(0.99) <= 1000us);
    CHECK(histogram.max() == 1000us);
}

TEST_CASE("impossible durations do no harm") {
    Histogram histogram;
    histogram.add(-5us);
    CHECK(histogram.quantile(0.5) == 0us);
    histogram.add(std::chrono::microseconds::max());
    CHECK(histogram.max() == std::chrono::microseconds::max());
    CHECK(histogram.quantile(1) > std::chrono::hours(24 * 200));
    CHECK(histogram.count() == 2);
}

TEST_CASE("a histogram knows the sum, and how many durations are within a bound") {
    Histogram histogram;
    for (std::chrono::milliseconds duration : {1ms, 4ms, 5ms, 900ms, 2000ms})
        histogram.add(duration);
    CHECK(histogram.sum() == 2910ms);
    CHECK(histogram.count_at_most(0us) == 0);
    CHECK(histogram.count_at_most(1ms) == 1);
    CHECK(histogram.count_at_most(5ms) == 3);
    CHECK(histogram.count_at_most(1s) == 4);
    CHECK(histogram.count_at_most(std::chrono::hours(24)) == 5);
    histogram.remove(900ms);
    CHECK(histogram.sum() == 2010ms);
    CHECK(histogram.count_at_most(1s) == 3);
}

TEST_CASE("the counts within a bound are off by at most the durations that are a 16th longer") {
    for (std::int64_t value = 40; value < std::int64_t{1} << 43; value = value * 9 / 8 + 1) {
        Histogram histogram;
        histogram.add(std::chrono::microseconds(value));
        INFO(value);
        CHECK(histogram.count_at_most(std::chrono::microseconds(value)) == 1);
        CHECK(histogram.count_at_most(std::chrono::microseconds(value * 15 / 16 - 1)) == 0);
    }
}

TEST_CASE("a duration that is taken back is not counted") {
    Histogram histogram;
    histogram.add(10us);
    histogram.add(20us);
    histogram.remove(20us);
    histogram.remove(15us);
    CHECK(histogram.count() == 1);
    CHECK(histogram.quantile(1) == 10us);
}

TEST_CASE("waiting counts from the submission to the assignment, working from there to the response") {
    State state;
    apply(state, Submitted{"s", {}}, start);
    apply(state, AgentReady{"a"}, start + 10us);
    apply(state, AgentResponded{"a"}, start + 17us);
    CHECK(state.statistics.submitted == 1);
    CHECK(state.statistics.processed == 1);
    CHECK(state.statistics.waiting.count() == 1);
    CHECK(state.statistics.waiting.max() == 10us);
    CHECK(state.statistics.working.count() == 1);
    CHECK(state.statistics.working.max() == 7us);
}

TEST_CASE("an agent is idle, busy or asked since its state began") {
    State state;
    state.config.idle_timeout = 1s;
    apply(state, AgentReady{"a"}, start + 1s);
    CHECK(state.agents.at("a").since == start + 1s);
    apply(state, TimePassed{}, start + 2s);
    CHECK(state.agents.at("a").state == AgentState::heartbeat);
    CHECK(state.agents.at("a").since == start + 2s);
    apply(state, AgentReady{"b"}, start + 2s);
    apply(state, Submitted{"s", {}}, start + 2500ms);
    CHECK(state.agents.at("b").since == start + 2500ms);
    CHECK(load(state).busy == 1);
    CHECK(load(state).heartbeat == 1);
    CHECK(load(state).idle == 0);
}

TEST_CASE("a task that is handed back waits from then on, and is counted so") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", {}}, start);
    apply(state, AgentLeft{"a"}, start + 20us);
    CHECK(state.statistics.handed_back == 1);
    CHECK(state.submissions.at("s").since == start + 20us);
    apply(state, AgentReady{"b"}, start + 25us);
    CHECK(state.statistics.waiting.count() == 2);
    CHECK(state.statistics.waiting.max() == 5us);
}

TEST_CASE("an agent that was dead before it got its task has handed nothing back") {
    State state;
    apply(state, Submitted{"s", {}}, start);
    apply(state, AgentReady{"a"}, start + 10us);
    apply(state, AgentLeft{"a", true}, start + 11us);
    CHECK(state.statistics.handed_back == 0);
    CHECK(state.statistics.waiting.count() == 0);
    CHECK(state.statistics.assigned_after.count() == 1);
    CHECK(state.submissions.at("s").since == start);
    apply(state, AgentReady{"b"}, start + 25us);
    CHECK(state.statistics.waiting.count() == 1);
    CHECK(state.statistics.assigned_after.count() == 2);
    CHECK(state.statistics.waiting.max() == 25us);
}

TEST_CASE("a failed assignment does not end the waiting") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", {}}, start);
    apply(state, AssignmentFailed{"a"}, start);
    CHECK(state.statistics.waiting.count() == 0);
    apply(state, TimePassed{}, start + 100ms);
    CHECK(state.statistics.waiting.count() == 1);
    CHECK(state.statistics.waiting.max() == 100ms);
}

TEST_CASE("what an agent was at before the start counts from when it got it") {
    State state;
    apply(state, Recovered{"a", "s", {}, {}, 5s}, start + 10s);
    CHECK(state.statistics.recovered == 1);
    CHECK(state.agents.at("a").since == start + 5s);
    apply(state, AgentResponded{"a"}, start + 11s);
    CHECK(state.statistics.working.max() == 6s);
    CHECK(state.statistics.waiting.count() == 0);
    CHECK(answered(state.statistics) == 1);
}

TEST_CASE("each way to end is counted") {
    State state;
    for (const char* agent : {"a", "b", "c"})
        apply(state, AgentReady{agent}, start);
    apply(state, Submitted{"late", 1s}, start);
    apply(state, Submitted{"withdrawn", {}}, start);
    apply(state, Submitted{"withdrawn", {}}, start);
    apply(state, Withdrawn{"withdrawn"}, start);
    apply(state, Withdrawn{"withdrawn"}, start);
    apply(state, Submitted{"stopped", {}}, start);
    apply(state, TimePassed{}, start + 1s);
    apply(state, Stopping{}, start + 1s);
    apply(state, Submitted{"too late", {}}, start + 1s);
    CHECK(state.statistics.submitted == 4);
    CHECK(state.statistics.timed_out == 1);
    CHECK(state.statistics.withdrawn == 1);
    CHECK(state.statistics.stopped == 2);
    CHECK(state.statistics.kicked == 1);
    CHECK(state.statistics.working.count() == 0);
}

TEST_CASE("failures, deaths and rejected responses are counted as failed, once for each submission") {
    State state;
    for (const char* id : {"failed", "lost", "rejected"}) {
        Submitted event{id, {}};
        event.wants_failures = true;
        apply(state, event, start);
    }
    apply(state, AgentReady{"a"}, start);
    apply(state, AgentFailed{"a"}, start);
    for (const char* agent : {"b", "c", "d"}) {
        apply(state, AgentReady{agent}, start);
        apply(state, AgentDied{agent}, start);
    }
    apply(state, AgentReady{"e"}, start);
    apply(state, ResponseRejected{"e"}, start);
    CHECK(state.statistics.failed == 3);
    CHECK(state.statistics.died == 3);
    CHECK(state.statistics.handed_back == 0);
    CHECK(answered(state.statistics) == state.statistics.submitted);
}
