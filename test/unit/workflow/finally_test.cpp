#include "run_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

namespace {

config::Step with_finally(config::Step step) {
    step.finally = config::Command{"echo '[]'"};
    return step;
}

// The one finally that the group submits, as the task it belongs to; nothing if there is none.
std::optional<TaskId> finally_in(const Group& group) {
    std::optional<TaskId> found;
    for (const auto& task : submitted(group))
        if (auto* finally = std::get_if<Finally>(&task.origin)) {
            REQUIRE_FALSE(found);
            found = finally->finally_for;
        }
    return found;
}

}  // namespace

TEST_CASE("the finally of a task without children is due at once") {
    Run run(workflow_of({with_finally(command_step("A"))}));
    run.begin({"A"});
    auto group = run.succeed(run.take());
    CHECK(finally_in(group) == TaskId{0});
    TaskId finally = run.take();
    CHECK(run.task(finally).finally_for == TaskId{0});
    CHECK(*run.task(finally).value == "{}");
    CHECK_FALSE(finally_in(run.succeed(finally)));
    CHECK(run.state.over());
    CHECK(run.counters("A").finally_done == 1);
    CHECK(run.counters("A").done == 1);
}

TEST_CASE("a finally waits for children, their retries and their children") {
    auto child = command_step("B");
    child.options.max_retries = 1;
    Run run(workflow_of({with_finally(command_step("A")), child}));
    run.begin({"A"});
    CHECK_FALSE(finally_in(run.succeed(run.take(), {"B", "B"})));
    TaskId first = run.take(), second = run.take();
    CHECK_FALSE(finally_in(run.succeed(first)));
    CHECK_FALSE(finally_in(run.fail(second)));
    CHECK_FALSE(finally_in(run.succeed(run.take(), {"B"})));
    CHECK(finally_in(run.succeed(run.take())) == TaskId{0});
}

TEST_CASE("a finally comes after the failure of the last descendant, and of the task itself") {
    Run run(workflow_of({with_finally(command_step("A")), command_step("B")}));
    run.begin({"A", "A"});
    TaskId parent = run.take(), lonely = run.take();
    run.succeed(parent, {"B"});
    CHECK(finally_in(run.fail(lonely)) == lonely);
    CHECK(finally_in(run.fail(run.take())) == parent);
}

TEST_CASE("a retried task has one finally, for its last attempt") {
    auto step = with_finally(command_step("A"));
    step.options.max_retries = 1;
    Run run(workflow_of({step}));
    run.begin({"A"});
    CHECK_FALSE(finally_in(run.fail(run.take())));
    TaskId retry = run.take();
    CHECK(finally_in(run.fail(retry)) == retry);
}

TEST_CASE("a finally is retried by its step's policy, from the first attempt on, and has no finally") {
    auto step = with_finally(command_step("A"));
    step.options.max_retries = 1;
    Run run(workflow_of({step}));
    run.begin({"A"});
    run.fail(run.take());
    run.succeed(run.take());
    TaskId finally = run.take();
    CHECK(run.task(finally).attempt == 1);
    run.fail(finally);
    TaskId again = run.take();
    CHECK(run.task(again).attempt == 2);
    CHECK(run.task(again).finally_for.has_value());
    CHECK_FALSE(finally_in(run.fail(again)));
    CHECK(run.state.over());
    CHECK(run.counters("A").finally_dropped == 1);
    CHECK(run.counters("A").dropped == 0);
}

TEST_CASE("an outer finally waits for inner ones and for all that they spawn") {
    Run run(workflow_of(
        {with_finally(command_step("Outer")), with_finally(command_step("Inner")), command_step("Leaf")}));
    run.begin({"Outer"});
    TaskId outer = run.take();
    run.succeed(outer, {"Inner"});
    TaskId inner = run.take();
    run.succeed(inner, {"Leaf"});
    auto group = run.succeed(run.take());
    CHECK(finally_in(group) == inner);
    CHECK(submitted(group).at(0).parent == outer);  // the parent of the task that it belongs to
    CHECK_FALSE(finally_in(run.succeed(run.take(), {"Leaf"})));
    CHECK(finally_in(run.succeed(run.take())) == outer);
    run.succeed(run.take());
    CHECK(run.state.over());
}

TEST_CASE("nested finallys 100,000 deep run from the innermost to the outermost") {
    Run run(workflow_of({with_finally(command_step("A"))}));
    run.begin({"A"});
    constexpr std::uint64_t depth = 100'000;
    for (std::uint64_t i = 1; i < depth; ++i)
        run.succeed(run.take(), {"A"});
    auto group = run.succeed(run.take());
    for (std::uint64_t i = depth; i-- > 0;) {
        if (finally_in(group) != TaskId{i}) FAIL("not the finally of task " << i);
        group = run.succeed(run.take());
    }
    CHECK(run.state.over());
}

TEST_CASE("entries that can't follow are refused") {
    Run run(workflow_of({with_finally(command_step("A"))}));
    run.begin({"A"});
    auto value = std::make_shared<const std::string>("{}");
    auto refused = [&](Entry entry) { return apply(run.config, run.state, entry).has_error(); };
    CHECK(refused(TaskCompleted{{7}, Succeeded{}}));
    CHECK(refused(TaskSubmitted{{0}, {0}, value, std::nullopt, Initial{}}));
    CHECK(refused(TaskSubmitted{{5}, {0}, value, TaskId{0}, Spawned{}}));
    CHECK(refused(TaskSubmitted{{5}, {0}, value, std::nullopt, Finally{{0}}}));
    CHECK(refused(TaskCompleted{{0}, Succeeded{{{0}}}}));
    CHECK_FALSE(refused(TaskCompleted{{0}, Succeeded{}}));
    CHECK(refused(TaskCompleted{{0}, Succeeded{}}));
}

TEST_CASE("a finally that comes before the last descendant's end is refused") {
    Run run(workflow_of({with_finally(command_step("A")), command_step("B")}));
    run.begin({"A"});
    run.succeed(run.take(), {"B", "B"});
    run.succeed(run.take());
    auto value = std::make_shared<const std::string>("{}");
    CHECK(
        apply(run.config, run.state, TaskSubmitted{{9}, {0}, value, std::nullopt, Finally{{0}}}).has_error());
}
