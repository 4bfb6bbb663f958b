#include "progress/model.hpp"

#include "progress/events.hpp"
#include "progress/summary.hpp"
#include "runs.hpp"

#include <catch2/catch.hpp>

using namespace runs;
using progress::Counts;

namespace {

bool are(const Counts& counts, std::uint64_t waiting, std::uint64_t running, std::uint64_t done,
         std::uint64_t retried, std::uint64_t dropped) {
    return counts.waiting == waiting && counts.running == running && counts.done == done &&
           counts.retried == retried && counts.dropped == dropped;
}

Model two_steps(std::uint64_t waiting) {
    return {{{"A", false, {1}}, {"B", false, {}}}, {{waiting, 0, 0, 0, 0}}, at(0ms)};
}

}  // namespace

TEST_CASE("each event moves a task from one count to another") {
    Model model = two_steps(2);
    model.started(0, 0, 1, at(0ms));
    CHECK(are(model.counts(0), 1, 1, 0, 0, 0));
    model.retried(0);
    CHECK(are(model.counts(0), 2, 0, 0, 1, 0));
    model.started(2, 0, 2, at(1s));
    model.dropped(2, at(2s));
    CHECK(are(model.counts(0), 1, 0, 0, 1, 1));
    model.started(1, 0, 1, at(2s));
    model.done(1, at(3s));
    model.submitted(1);
    CHECK(are(model.counts(0), 0, 0, 1, 1, 1));
    CHECK(are(model.counts(1), 1, 0, 0, 0, 0));
    CHECK(are(model.total(), 1, 0, 1, 1, 1));
}

TEST_CASE("a task that is put back waits, and has had no attempt") {
    Model model = two_steps(1);
    model.started(0, 0, 1, at(0ms));
    model.put_back(0);
    CHECK(are(model.counts(0), 1, 0, 0, 0, 0));
    CHECK(model.longest_running(3).empty());
    model.started(0, 0, 1, at(1s));
    model.done(0, at(2s));
    CHECK(are(model.total(), 0, 0, 1, 0, 0));
}

TEST_CASE("a task that is dropped without an attempt was only waiting") {
    Model model = two_steps(3);
    model.not_started(0, 0);
    model.not_started(1, 0);
    CHECK(are(model.counts(0), 1, 0, 0, 0, 2));
    CHECK(are(model.total(), 1, 0, 0, 0, 2));
    CHECK_FALSE(model.total_rate(at(10s)));
}

TEST_CASE("what was done before a resume counts as done and not for the rate") {
    Model model({{"A", false, {}}}, {{1, 0, 41, 2, 3}}, at(0ms));
    CHECK(model.total().over() == 44);
    CHECK(model.total().known() == 45);
    CHECK_FALSE(model.total_rate(at(10s)));
}

TEST_CASE("what is broken off at the end waits again, and the clock stands still") {
    Model model = two_steps(1);
    model.started(0, 0, 1, at(0ms));
    model.ended(at(5s));
    CHECK(are(model.total(), 1, 0, 0, 0, 0));
    CHECK(model.elapsed(at(9s)) == 5s);
    CHECK(model.longest_running(3).empty());
}

TEST_CASE("a rate is told after a second and three tasks, over 30 seconds, and sinks to nothing") {
    Model model = two_steps(100);
    for (std::uint64_t i = 0; i < 2; ++i)
        done(model, i, 0, 100ms, 200ms);
    CHECK_FALSE(model.rate(0, at(2s)));
    done(model, 2, 0, 300ms, 400ms);
    CHECK_FALSE(model.rate(0, at(900ms)));
    CHECK(model.rate(0, at(2100ms)).value() == Approx(1.5));
    CHECK(model.rate(0, at(10100ms)).value() == Approx(0.3));
    CHECK_FALSE(model.rate(0, at(30s)));
    for (std::uint64_t i = 0; i < 60; ++i)
        done(model, 10 + i, 0, 100s + i * 500ms, 100s + i * 500ms);
    CHECK(model.rate(0, at(130s)).value() == Approx(2).epsilon(0.05));
    CHECK_FALSE(model.rate(0, at(1h)));
}

TEST_CASE("an ETA is told only for a step to which nothing open leads") {
    Model model = two_steps(4);
    model.submitted(1);
    for (std::uint64_t i = 0; i < 3; ++i)
        done(model, i, 0, 0ms, 1s);
    model.started(3, 0, 1, at(1s));
    model.started(4, 1, 1, at(1s));
    auto etas = model.etas(at(3s));
    CHECK(etas[0] == 1s);
    CHECK_FALSE(etas[1]);
    model.done(3, at(3s));
    CHECK_FALSE(model.etas(at(4s))[1]);  // nothing leads to it any more, but it has no rate
    for (std::uint64_t i = 0; i < 3; ++i) {
        model.submitted(1);
        done(model, 10 + i, 1, 4s, 4s);
    }
    CHECK(model.etas(at(5s))[1] == 2s);
}

TEST_CASE("a step that leads to itself, and a finally, have no ETA") {
    Model model({{"A", false, {0}}, {"A (finally)", true, {0, 1}}}, {{9, 0, 0, 0, 0}, {9, 0, 0, 0, 0}},
                at(0ms));
    for (std::uint64_t i = 0; i < 8; ++i)
        done(model, i, i % 2, 0ms, 1s);
    model.started(100, 0, 1, at(1s));
    model.started(101, 1, 1, at(1s));
    CHECK_FALSE(model.etas(at(3s))[0]);
    CHECK_FALSE(model.etas(at(3s))[1]);
}

TEST_CASE("the longest running tasks are the first that were started") {
    Model model = two_steps(5);
    for (std::uint64_t i = 0; i < 4; ++i)
        model.started(i, 0, 1, at(i * 1s));
    model.done(0, at(5s));
    auto tasks = model.longest_running(2);
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0].id == 1);
    CHECK(tasks[1].id == 2);
}

TEST_CASE("the summary is one line") {
    CHECK(progress::summary_line(small(), progress::Agents{1, 2}, std::nullopt, at(40s)) ==
          "after 0:40: 41 done, 76 waiting, 1 at the pool, 1 running; 1 retry; 1.0/s; 2 of 3 agents busy; "
          "longest: "
          "task 1 Measure for 0:39 (pool)");
    CHECK(progress::summary_line(two_steps(3), std::nullopt, std::nullopt, at(3700s)) ==
          "after 1:01:40: 0 done, 3 waiting, 0 running");
}

TEST_CASE("a summary says why no agent of the run is at work") {
    progress::Agents agents{0, 0, 2, "every agent rests: no \"credit\""};
    CHECK(progress::summary_line(two_steps(3), agents, std::nullopt, at(1s)) ==
          "after 0:01: 0 done, 3 waiting, 0 running; 0 of 2 agents busy, 2 resting; "
          "every agent rests: no \"credit\"");
    std::string event =
        progress::summary(progress::WallTime(5ms), two_steps(3), agents, std::nullopt, at(1s));
    CHECK_THAT(
        event,
        Catch::Contains(
            R"("resting":2,"parked":0,"parked_until":null},"standstill":"every agent rests: no \"credit\"","steps":)"));
    std::string without = progress::summary(progress::WallTime(5ms), two_steps(3), progress::Agents{1, 2},
                                            std::nullopt, at(1s));
    CHECK(without.find("standstill") == std::string::npos);
}

TEST_CASE("a summary counts the agents of the run that are parked") {
    progress::Agents agents{1, 1, 0};
    agents.parked = 2;
    agents.parked_until = 1'795'270'000'000ms;
    std::string event =
        progress::summary(progress::WallTime(5ms), two_steps(3), agents, std::nullopt, at(1s));
    CHECK_THAT(event, Catch::Contains(R"("resting":0,"parked":2,"parked_until":1795270000000})"));
}

TEST_CASE("what the agent of a task does is an event") {
    CHECK(progress::task_activity(progress::WallTime(5ms), 7, "claude \"1\"", R"({"text":"Edit"})") ==
          R"({"event":"task_activity","time":5,"task":7,"agent":"claude \"1\"","activity":{"text":"Edit"}})"
          "\n");
}

TEST_CASE("what is at the pool is counted until it is over or back from there") {
    Model model = two_steps(3);
    for (std::uint64_t i = 0; i < 3; ++i) {
        model.started(i, 0, 1, at(1s));
        model.entered(i, TaskPhase::pool);
    }
    CHECK(model.counts(0).at_pool == 3);
    model.entered(0, TaskPhase::post);
    CHECK(model.counts(0).at_pool == 2);
    CHECK(model.counts(0).running == 3);
    model.done(1, at(2s));
    model.done(0, at(2s));
    CHECK(model.total().at_pool == 1);
    model.ended(at(3s));
    CHECK(model.total().at_pool == 0);
}

TEST_CASE("an event for a command to be copied has it in a field of its own") {
    CHECK(
        progress::log_line(progress::WallTime(5ms), "error", "resume this run with:", "barnum run 'a b'") ==
        R"({"event":"log","time":5,"level":"error","message":"resume this run with:","command":"barnum run 'a b'"})"
        "\n");
}

TEST_CASE("a pause is shown") {
    Model model = two_steps(1);
    model.paused(true);
    auto lines = progress::table(model, std::nullopt, std::nullopt, at(1s), {{80, 24}, false});
    CHECK(lines.front() == "0 of 1 task in 0:01, paused");
    CHECK(progress::summary_line(model, std::nullopt, std::nullopt, at(1s)) ==
          "after 0:01: 0 done, 1 waiting, 0 running; paused");
    progress::WallTime time(5ms);
    CHECK(progress::summary(time, model, std::nullopt, std::nullopt, at(1s)).find(R"(,"paused":true,)") !=
          std::string::npos);
    model.paused(false);
    CHECK(progress::summary(time, model, std::nullopt, std::nullopt, at(1s)).find("paused") ==
          std::string::npos);
}

TEST_CASE("events are objects, a line each") {
    progress::WallTime time(1234567890123ms);
    progress::Subject subject{12, "An \"A\"", true, 2};
    CHECK(
        progress::task_started(time, subject) ==
        R"({"event":"task_started","time":1234567890123,"task":12,"step":"An \"A\"","finally":true,"attempt":2})"
        "\n");
    CHECK(progress::task_phase(time, 12, TaskPhase::pool) ==
          R"({"event":"task_phase","time":1234567890123,"task":12,"phase":"pool"})"
          "\n");
    CHECK(progress::task_put_back(time, {3, "A", false, 1}) ==
          R"({"event":"task_put_back","time":1234567890123,"task":3,"step":"A","finally":false,"attempt":1})"
          "\n");
    CHECK(progress::task_retried(time, {3, "A", false, 1}, 1500ms, 4, 250ms, "a\nb") ==
          R"({"event":"task_retried","time":1234567890123,"task":3,"step":"A","finally":false,"attempt":1,)"
          R"("seconds":1.500,"retry":4,"wait_seconds":0.250,"message":"a\nb"})"
          "\n");
    CHECK(
        progress::summary(time, two_steps(3), progress::Agents{1, 2}, std::nullopt, at(1s)) ==
        R"({"event":"summary","time":1234567890123,"elapsed_seconds":1.000,)"
        R"("tasks":{"waiting":3,"running":0,"at_pool":0,"waiting_for_human":0,"done":0,"dropped":0,"retried":0},"agents":{"idle":1,"busy":2,"resting":0,)"
        R"("parked":0,"parked_until":null},)"
        R"("steps":[{"row":"A","waiting":3,"running":0,"at_pool":0,"waiting_for_human":0,"done":0,"dropped":0,"retried":0},)"
        R"({"row":"B","waiting":0,"running":0,"at_pool":0,"waiting_for_human":0,"done":0,"dropped":0,"retried":0}]})"
        "\n");
}

TEST_CASE("what was spent is in the summary and at the end") {
    progress::Spending spending{
        {10, 4, 5, 0.25}, "spent $0.25 of $3.00", {{1, "claude", "", {10, 4, 5, 0.25}}}};
    CHECK(progress::summary_line(two_steps(3), progress::Agents{1, 2}, spending, at(1s)) ==
          "after 0:01: 0 done, 3 waiting, 0 running; 2 of 3 agents busy; spent $0.25 of $3.00");
    std::string usage =
        R"(,"usage":{"input_tokens":10,"cached_tokens":4,"output_tokens":5,"usd":0.250000,"rows":[)"
        R"({"step":"B","kind":"claude","model":null,"input_tokens":10,"cached_tokens":4,"output_tokens":5,"usd":0.250000}]},"steps":)";
    progress::WallTime time(5ms);
    CHECK_THAT(progress::summary(time, two_steps(3), std::nullopt, spending, at(1s)), Catch::Contains(usage));
    CHECK_THAT(progress::run_ended(time, "budget_spent", "", two_steps(3), spending, at(1s)),
               Catch::Contains(usage));
    spending.total.usd.reset();
    CHECK_THAT(progress::summary(time, two_steps(3), std::nullopt, spending, at(1s)),
               Catch::Contains(R"("usd":null,"rows")"));
}
