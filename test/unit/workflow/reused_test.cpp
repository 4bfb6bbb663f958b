#include "run_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

namespace {

config::WorkflowConfig nested() {
    auto outer = command_step("Outer");
    auto inner = command_step("Inner");
    outer.finally = inner.finally = config::Command{"echo '[]'"};
    auto leaf = command_step("Leaf");
    leaf.options.max_retries = 1;
    return workflow_of({outer, inner, leaf});
}

Group reuse(Run& run, std::uint64_t task, const std::vector<std::string>& next = {}) {
    EarlierResult result{{}, {"earlier", {task + 100}}};
    for (const auto& step : next)
        result.next.push_back({*run.config.find(step), std::make_shared<const std::string>("{}")});
    Group group = decide_reused(run.config, run.state, {task}, std::move(result));
    run.apply_all(group);
    return group;
}

}  // namespace

TEST_CASE("a result that is taken over completes a task that was never started") {
    Run run(nested());
    run.begin({"Leaf", "Leaf"});
    auto group = reuse(run, 0, {"Leaf"});
    const auto& completed = std::get<TaskCompleted>(group.front());
    REQUIRE(completed.reused);
    CHECK(completed.reused->task == TaskId{100});
    CHECK(run.counters("Leaf").done == 1);
    CHECK(run.state.running == 0);
    CHECK(run.take() == TaskId{1});
    CHECK(run.take() == TaskId{2});
}

TEST_CASE("a finally has not run as long as all that it waits for was taken over") {
    Run run(nested());
    run.begin({"Outer"});
    reuse(run, 0, {"Inner", "Leaf"});
    reuse(run, 1, {"Leaf"});
    reuse(run, 2);
    auto group = reuse(run, 3);
    REQUIRE(submitted(group).size() == 1);
    CHECK_FALSE(run.task({4}).has_run);
    reuse(run, 4);
    CHECK_FALSE(run.task({5}).has_run);
}

TEST_CASE("an attempt makes every finally above it one that runs, also after a replay") {
    Run run(nested());
    run.begin({"Outer"});
    reuse(run, 0, {"Inner", "Inner"});
    reuse(run, 1, {"Leaf"});
    reuse(run, 2, {"Leaf"});
    CHECK(run.take() == TaskId{3});
    run.fail({3});
    CHECK(run.task({1}).has_run);
    CHECK(run.task({0}).has_run);
    CHECK_FALSE(run.task({2}).has_run);
    reuse(run, 4);
    CHECK_FALSE(run.task({6}).has_run);
    Run replayed(run.config);
    replayed.apply_all(run.history);
    for (const auto& [id, task] : run.state.tasks)
        CHECK(replayed.task(id).has_run == task.has_run);
}
