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
    CHECK(progress::summary_line(small(), progress::Agents{1, 2}, at(40s)) ==
          "after 0:40: 41 done, 76 waiting, 1 at the pool, 1 running; 1 retry; 1.0/s; 2 of 3 agents busy; "
          "longest: "
          "task 1 Measure for 0:39 (pool)");
    CHECK(progress::summary_line(two_steps(3), std::nullopt, at(3700s)) ==
          "after 1:01:40: 0 done, 3 waiting, 0 running");
}

TEST_CASE("a summary says why no agent of the run is at work") {
    progress::Agents agents{0, 0, 2, "every agent rests: no \"credit\""};
    CHECK(progress::summary_line(two_steps(3), agents, at(1s)) ==
          "after 0:01: 0 done, 3 waiting, 0 running; 0 of 2 agents busy, 2 resting; "
          "every agent rests: no \"credit\"");
    std::string event = progress::summary(progress::WallTime(5ms), two_steps(3), agents, at(1s));
    CHECK_THAT(event,
               Catch::Contains(R"("resting":2},"standstill":"every agent rests: no \"credit\"","steps":)"));
    std::string without =
        progress::summary(progress::WallTime(5ms), two_steps(3), progress::Agents{1, 2}, at(1s));
    CHECK(without.find("standstill") == std::string::npos);
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
    CHECK(progress::task_retried(time, {3, "A", false, 1}, 1500ms, 4, 250ms, "a\nb") ==
          R"({"event":"task_retried","time":1234567890123,"task":3,"step":"A","finally":false,"attempt":1,)"
          R"("seconds":1.500,"retry":4,"wait_seconds":0.250,"message":"a\nb"})"
          "\n");
    CHECK(
        progress::summary(time, two_steps(3), progress::Agents{1, 2}, at(1s)) ==
        R"({"event":"summary","time":1234567890123,"elapsed_seconds":1.000,)"
        R"("tasks":{"waiting":3,"running":0,"at_pool":0,"done":0,"dropped":0,"retried":0},"agents":{"idle":1,"busy":2,"resting":0},)"
        R"("steps":[{"row":"A","waiting":3,"running":0,"at_pool":0,"done":0,"dropped":0,"retried":0},)"
        R"({"row":"B","waiting":0,"running":0,"at_pool":0,"done":0,"dropped":0,"retried":0}]})"
        "\n");
}
