#include "serve/run_counter.hpp"

#include "serve_log.hpp"

#include <chrono>

using namespace serve_log;
using namespace std::chrono_literals;
using serve::RunCounter;
using serve::RunTotals;
using statelog::Time;

namespace {

// A, its retry, its child B, and its `finally`, which is tried twice.
const std::string whole_log =
    head + submitted(0, "A", initial, "1", 1000) +
    completed(0, failure(R"({"kind":"Timeout"})", R"(,"retry_task_id":1)"), 2000) +
    submitted(1, "A", R"({"Retry":{"replaces":0}})", "1", 2000) + completed(1, success("[2]"), 3000) +
    submitted(2, "B", spawned, "2", 3000, R"(,"parent_id":1)") + completed(2, success("[]"), 4000, report) +
    submitted(3, "A", R"({"Finally":{"finally_for":1}})", "1", 4000) +
    completed(3, failure(R"({"kind":"Timeout"})", R"(,"retry_task_id":4)"), 5000) +
    submitted(4, "A", R"({"Retry":{"replaces":3}})", "1", 5000) +
    completed(4, failure(R"({"kind":"Timeout"})"), 6000);

std::string text_of(const RunTotals& totals) {
    metrics::Exposition out(metrics::Format::prometheus);
    totals.write(out);
    return out.finish();
}

bool has(const std::string& text, const std::string& line) {
    return text.find(line + "\n") != std::string::npos;
}

std::string counted(const std::string& text, Time since, std::size_t piece = SIZE_MAX) {
    RunTotals totals;
    RunCounter counter("LOG", since);
    for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size() - at)) {
        auto fed = counter.feed(std::string_view(text).substr(at, piece), totals);
        INFO((fed ? "" : fed.error().message));
        REQUIRE(fed.has_value());
    }
    return text_of(totals);
}

}  // namespace

TEST_CASE("the attempts of a run are counted by step and outcome, and what agents have used") {
    std::string text = counted(whole_log, Time());
    CHECK(has(text, R"~(barnum_task_attempts_total{step="A",outcome="succeeded"} 1)~"));
    CHECK(has(text, R"~(barnum_task_attempts_total{step="A",outcome="retried"} 1)~"));
    CHECK(has(text, R"~(barnum_task_attempts_total{step="B",outcome="succeeded"} 1)~"));
    CHECK(has(text, R"~(barnum_task_attempts_total{step="A (finally)",outcome="retried"} 1)~"));
    CHECK(has(text, R"~(barnum_task_attempts_total{step="A (finally)",outcome="dropped"} 1)~"));
    CHECK(has(text, R"~(barnum_tokens_total{kind="claude",model="opus",direction="input"} 100)~"));
    CHECK(has(text, R"~(barnum_tokens_total{kind="claude",model="opus",direction="output"} 7)~"));
    CHECK(has(text, "barnum_cost_usd_total 0.5"));
}

TEST_CASE("what has not happened yet is counted as 0 as soon as the steps are known") {
    std::string text = counted(head, Time());
    for (const char* step : {"A", "A (finally)", "B", "Ask"})
        for (const char* outcome : {"succeeded", "retried", "dropped", "reused", "not_started"})
            CHECK(has(text, std::string(R"(barnum_task_attempts_total{step=")") + step + R"(",outcome=")" +
                                outcome + "\"} 0"));
    CHECK_FALSE(has(text, R"~(barnum_task_attempts_total{step="B (finally)",outcome="succeeded"} 0)~"));
}

TEST_CASE("a log in pieces counts as the whole one") {
    std::string whole = counted(whole_log, Time());
    for (std::size_t piece : {1U, 7U, 100U, 333U})
        CHECK(counted(whole_log, Time(), piece) == whole);
}

TEST_CASE("what has ended before the server began does not count") {
    std::string text = counted(whole_log, Time(4000ms));
    CHECK_FALSE(has(text, R"~(barnum_task_attempts_total{step="A",outcome="succeeded"} 1)~"));
    CHECK(has(text, R"~(barnum_task_attempts_total{step="B",outcome="succeeded"} 1)~"));
    CHECK(has(text, R"~(barnum_task_attempts_total{step="A (finally)",outcome="dropped"} 1)~"));
}

TEST_CASE("an attempt counts when its group is complete") {
    std::size_t end = whole_log.find(R"({"kind":"TaskSubmitted","task_id":2)");
    CHECK_FALSE(has(counted(whole_log.substr(0, end), Time()),
                    R"~(barnum_task_attempts_total{step="A",outcome="succeeded"} 1)~"));
    std::size_t complete = whole_log.find('\n', end) + 1;
    CHECK(has(counted(whole_log.substr(0, complete), Time()),
              R"~(barnum_task_attempts_total{step="A",outcome="succeeded"} 1)~"));
}

TEST_CASE("what is reused, or past a bound, was not attempted") {
    std::string text =
        counted(head + submitted(0, "A", initial, "1", 1000) +
                    completed(0, success("[1,2]"), 2000, R"(,"reused":{"run_id":"q","task_id":0})") +
                    submitted(1, "B", spawned, "2", 2000, R"(,"parent_id":0)") +
                    submitted(2, "B", spawned, "2", 2000, R"(,"parent_id":0)") +
                    completed(1, failure(R"({"kind":"PastBound"})"), 3000),
                Time());
    CHECK(has(text, R"~(barnum_task_attempts_total{step="A",outcome="reused"} 1)~"));
    CHECK(has(text, R"~(barnum_task_attempts_total{step="B",outcome="not_started"} 1)~"));
}

TEST_CASE("the number of samples is bounded, whatever names there are") {
    RunTotals totals;
    for (int i = 0; i < 10'000; ++i) {
        totals.begin("Step" + std::to_string(i));
        totals.add("Step" + std::to_string(i), serve::AttemptOutcome::succeeded);
        pool_protocol::AgentReport used;
        used.kind = "kind" + std::to_string(i);
        used.input_tokens = 1;
        totals.add(used);
    }
    std::string text = text_of(totals);
    CHECK(std::count(text.begin(), text.end(), '\n') < 2800);
    CHECK(has(text, R"~(barnum_task_attempts_total{step="(other)",outcome="succeeded"} 9500)~"));
    CHECK(has(text, R"~(barnum_tokens_total{kind="(other)",model="",direction="input"} 9900)~"));
}
