#include "run_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

TEST_CASE("ready tasks start in the order of their submission, and a retry goes to the back") {
    auto step = command_step("A");
    step.options.max_retries = 1;
    Run run(workflow_of({step}));
    run.begin({"A", "A", "A"});
    TaskId first = run.take();
    CHECK(first == TaskId{0});
    run.fail(first);
    CHECK(run.take() == TaskId{1});
    CHECK(run.take() == TaskId{2});
    CHECK(run.take() == TaskId{3});
    CHECK_FALSE(take_ready(run.config, run.state));
}

TEST_CASE("max_concurrency tasks run at once, no more") {
    auto config = workflow_of({command_step("A")});
    config.max_concurrency = 2;
    Run run(config);
    run.begin({"A", "A", "A"});
    TaskId first = run.take();
    run.take();
    CHECK_FALSE(take_ready(run.config, run.state));
    CHECK(run.state.running == 2);
    run.succeed(first);
    CHECK(run.take() == TaskId{2});
}

TEST_CASE("the order goes across steps of both kinds") {
    Run run(workflow_of({command_step("C"), pool_step("P")}));
    run.begin({"C", "P", "P", "C", "P"});
    for (std::uint64_t i = 0; i < 5; ++i)
        CHECK(run.take() == TaskId{i});
}

TEST_CASE("without local processes to be had, tasks that need none first go on") {
    auto with_pre = pool_step("Pre");
    with_pre.pre = config::Command{"cat"};
    Run run(workflow_of({command_step("C"), pool_step("P"), with_pre}));
    run.begin({"C", "Pre", "P"});
    CHECK(take_ready(run.config, run.state, false) == TaskId{2});
    CHECK_FALSE(take_ready(run.config, run.state, false));
    CHECK(take_ready(run.config, run.state, true) == TaskId{0});
}

TEST_CASE("a success submits its children, in order, and is over") {
    Run run(workflow_of({command_step("A"), command_step("B")}));
    run.begin({"A"});
    auto group = run.succeed(run.take(), {"B", "A", "B"});
    REQUIRE(group.size() == 4);
    CHECK(std::get<Succeeded>(std::get<TaskCompleted>(group[0]).outcome).spawned ==
          std::vector<TaskId>{{1}, {2}, {3}});
    for (const auto& child : submitted(group))
        CHECK(child.parent == TaskId{0});
    CHECK(run.state.tasks.size() == 3);
    CHECK(run.counters("B").submitted == 2);
    CHECK(run.counters("A").done == 1);
}

TEST_CASE("a fan-out of 70,000 and a chain of 100,000 work, and leave nothing behind") {
    Run run(workflow_of({command_step("A")}));
    run.begin({"A"});
    run.succeed(run.take(), std::vector<std::string>(70'000, "A"));
    CHECK(run.state.tasks.size() == 70'000);
    for (int i = 0; i < 69'999; ++i)
        run.succeed(run.take());
    for (int i = 0; i < 100'000; ++i)
        run.succeed(run.take(), {"A"});
    CHECK(run.state.tasks.size() == 1);
    run.succeed(run.take());
    CHECK(run.state.over());
    CHECK(run.counters("A").done == 170'001);
}
