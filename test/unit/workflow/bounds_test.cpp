#include "workflow/bounds.hpp"

#include "run_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

namespace {

config::WorkflowConfig loop() {
    auto outer = command_step("Outer");
    outer.finally = config::Command{"true"};
    auto leaf = command_step("Leaf");
    leaf.options.max_retries = 3;
    return workflow_of({outer, leaf});
}

config::Bounds tasks(std::uint32_t most) {
    config::Bounds bounds;
    bounds.max_tasks = most;
    return bounds;
}

config::Bounds depth(std::uint32_t most) {
    config::Bounds bounds;
    bounds.max_depth = most;
    return bounds;
}

std::string past(const Run& run, std::uint64_t task, const config::Bounds& bounds, bool time_is_up = false) {
    auto failure = past_bound(bounds, run.task({task}), time_is_up);
    if (failure) CHECK(bound_of(*failure).has_value());
    return failure ? failure->message : "";
}

Group drop(Run& run, std::uint64_t task, const config::Bounds& bounds, bool time_is_up = false) {
    auto failure = past_bound(bounds, run.task({task}), time_is_up);
    REQUIRE(failure);
    return run.end({task}, std::move(*failure));
}

}  // namespace

TEST_CASE("tasks are numbered in the order of their submission, without retries and finallys") {
    Run run(loop());
    run.begin({"Leaf", "Outer"});
    run.take();
    run.fail({0});  // again as 2
    run.take();
    run.succeed({1}, {"Leaf"});  // 3
    CHECK(past(run, 2, tasks(1)).empty());
    CHECK(past(run, 3, tasks(3)).empty());
    CHECK(past(run, 3, tasks(2)) == "not started: it is number 3 of the tasks, and max_tasks is 2");
    run.take(), run.take();
    run.succeed({3});  // the finally of 1 is 4
    CHECK(past(run, 4, tasks(1)).empty());
    CHECK(past(run, 4, depth(1), true).empty());
    run.take();
    run.succeed({4}, {"Leaf"});  // 5
    CHECK(past(run, 5, tasks(4)).empty());
    CHECK_FALSE(past(run, 5, tasks(3)).empty());
}

TEST_CASE("a task is one deeper than the one that it descends from, also one that a finally emits") {
    Run run(loop());
    run.begin({"Outer"});
    CHECK(past(run, 0, depth(1)).empty());
    run.take();
    run.succeed({0}, {"Leaf"});
    CHECK(past(run, 1, depth(1)) == "not started: its depth is 2, and max_depth is 1");
    CHECK(past(run, 1, depth(2)).empty());
    run.take();
    run.fail({1});  // again as 2
    CHECK_FALSE(past(run, 2, depth(1)).empty());
    CHECK(past(run, 2, depth(2)).empty());
    run.take();
    run.succeed({2});
    run.take();
    run.succeed({3}, {"Outer"});
    CHECK(past(run, 4, depth(2)).empty());
    CHECK_FALSE(past(run, 4, depth(1)).empty());
}

TEST_CASE("when the time is up, every task is past it") {
    Run run(loop());
    run.begin({"Leaf"});
    CHECK(past(run, 0, {}).empty());
    CHECK(past(run, 0, {}, true) == "not started: the run has lasted max_run_seconds");
}

TEST_CASE("what is past a bound is dropped without a retry, and the finally above it comes") {
    Run run(loop());
    run.begin({"Outer"});
    run.take();
    run.succeed({0}, {"Leaf", "Leaf"});
    auto group = drop(run, 1, tasks(1));
    CHECK(group.size() == 1);
    group = drop(run, 2, tasks(1));
    REQUIRE(submitted(group).size() == 1);
    CHECK(std::get<Finally>(submitted(group)[0].origin).finally_for == TaskId{0});
    CHECK(run.task({3}).has_run);
    CHECK(run.counters("Leaf").dropped == 2);
    CHECK(run.counters("Leaf").past_bound[0] == 2);
    CHECK(count_past_bounds(run.state.steps) == 2);
    CHECK(run.state.running == 0);
    CHECK(run.take() == TaskId{3});
    run.succeed({3});
    CHECK(run.state.over());
}

TEST_CASE("a task that was never tried has no finally, so that a bound ends a loop through finallys") {
    Run run(loop());
    run.begin({"Outer"});
    run.take();
    run.succeed({0});
    run.take();
    run.succeed({1}, {"Outer"});
    CHECK(submitted(drop(run, 2, tasks(1))).empty());
    CHECK(run.state.over());
    Run replayed(run.config);
    replayed.apply_all(run.history);
    CHECK(replayed.state.over());
}

TEST_CASE("a task that was tried, and is dropped because the time is up, has its finally") {
    auto config = loop();
    config.steps[0].options.max_retries = 1;
    Run run(config);
    run.begin({"Outer"});
    run.take();
    run.fail({0});
    CHECK(submitted(drop(run, 1, {}, true)).size() == 1);
    CHECK(run.counters("Outer").past_bound[2] == 1);
}

TEST_CASE("what was past bounds is told by bound and step") {
    Run run(loop());
    run.begin({"Leaf", "Leaf", "Outer", "Leaf"});
    CHECK(past_bounds_text(run.config, run.state.steps).empty());
    drop(run, 1, tasks(1));
    drop(run, 2, tasks(1));
    drop(run, 3, tasks(1));
    drop(run, 0, {}, true);
    CHECK(
        past_bounds_text(run.config, run.state.steps) ==
        "not started because of max_tasks: 1 of Outer, 2 of Leaf; not started because of max_run_seconds: 1 "
        "of Leaf");
}

TEST_CASE("only failures past a bound have one") {
    CHECK_FALSE(bound_of(failure(Failure::Kind::timeout)));
    Failure unknown = failure(Failure::Kind::past_bound);
    unknown.name = "max_weight";
    CHECK_FALSE(bound_of(unknown));
}
