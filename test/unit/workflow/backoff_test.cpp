#include "workflow/backoff.hpp"

#include "run_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;
using namespace std::chrono_literals;

namespace {

config::RetryBackoff backoff_of(std::chrono::duration<double> initial) {
    config::RetryBackoff backoff;
    backoff.initial = initial;
    return backoff;
}

// A workflow of one step, "A", that is tried three times, the second after 2 s and the third after 4 s.
config::WorkflowConfig backing_off(config::Step step = command_step("A")) {
    step.options.max_retries = 2;
    step.options.retry_backoff = backoff_of(2s);
    return workflow_of({step, pool_step("P")});
}

TaskId retry_in(const Group& group) {
    return submitted(group).at(0).task;
}

}  // namespace

TEST_CASE("each wait is longer than the one before by the factor, up to the longest") {
    auto backoff = backoff_of(500ms);
    CHECK(backoff_delay(backoff, 1) == 500ms);
    CHECK(backoff_delay(backoff, 2) == 1s);
    CHECK(backoff_delay(backoff, 4) == 4s);
    backoff.factor = 10;
    backoff.max = 7s;
    CHECK(backoff_delay(backoff, 2) == 5s);
    CHECK(backoff_delay(backoff, 3) == 7s);
    CHECK(backoff_delay(backoff, 4'000'000'000) == 7s);
    backoff.factor = 1;
    CHECK(backoff_delay(backoff, 4'000'000'000) == 500ms);
}

TEST_CASE("a wait is at least a millisecond, and never more than a clock can count") {
    CHECK(backoff_delay(backoff_of(1ns), 1) == 1ms);
    CHECK(backoff_delay(backoff_of(1s), 100) == 1'000'000'000s);
    CHECK(backoff_delay(backoff_of(1s), 4'000'000'000) == 1'000'000'000s);
}

TEST_CASE("jitter only ever shortens a wait, by its part at most") {
    auto backoff = backoff_of(8s);
    CHECK(with_jitter(8s, backoff, 1) == 8s);
    backoff.jitter = 0.25;
    CHECK(with_jitter(8s, backoff, 0) == 8s);
    CHECK(with_jitter(8s, backoff, 0.5) == 7s);
    CHECK(with_jitter(8s, backoff, 1) == 6s);
    backoff.jitter = 1;
    CHECK(with_jitter(8s, backoff, 1) == 0s);
}

TEST_CASE("only retries wait, and only where the step says so") {
    Run run(backing_off());
    run.begin({"A", "P"});
    TaskId first = run.take(), other = run.take();
    CHECK_FALSE(retry_delay(run.config, run.state, first));
    CHECK_FALSE(retry_delay(run.config, run.state, other));
    TaskId second = retry_in(run.fail(first));
    CHECK(retry_delay(run.config, run.state, second) == 2s);
    run.take();
    CHECK(retry_delay(run.config, run.state, retry_in(run.fail(second))) == 4s);
}

TEST_CASE("a finally waits before its retries as its task does") {
    auto step = command_step("A");
    step.finally = config::Command{"true"};
    Run run(backing_off(step));
    run.begin({"A"});
    run.fail(run.take());
    run.succeed(run.take());
    TaskId finally = run.take();
    CHECK_FALSE(retry_delay(run.config, run.state, finally));
    CHECK(retry_delay(run.config, run.state, retry_in(run.fail(finally))) == 2s);
}

TEST_CASE("a delayed retry holds no slot and is in no queue, and goes to the back when it is due") {
    auto config = backing_off();
    config.max_concurrency = 1;
    Run run(config);
    run.begin({"A", "A", "P", "A"});
    TaskId retry = retry_in(run.fail(run.take()));
    delay(run.state, retry);
    CHECK(run.state.running == 0);
    CHECK(run.take() == TaskId{1});
    make_due(run.state, retry);
    CHECK_FALSE(take_ready(run.config, run.state));
    run.succeed({1}, {"P"});
    CHECK(run.take() == TaskId{2});
    run.succeed({2});
    CHECK(run.take() == TaskId{3});
    run.succeed({3});
    CHECK(run.take() == retry);  // before the younger one of the other kind, which became ready later
    run.succeed(retry);
    run.succeed(run.take());
    CHECK(run.state.over());
}

TEST_CASE("a retry that was due late comes after those that became ready before it, of either kind") {
    Run run(backing_off());
    run.begin({"A", "A"});
    TaskId retry = retry_in(run.fail(run.take()));
    delay(run.state, retry);
    run.succeed(run.take(), {"P", "A"});
    make_due(run.state, retry);
    CHECK(run.take() == TaskId{retry.value + 1});
    CHECK(run.take() == TaskId{retry.value + 2});
    CHECK(run.take() == retry);
}

TEST_CASE("while a retry is delayed its run is not over, and nothing is there to be done") {
    Run run(backing_off());
    run.begin({"A"});
    TaskId retry = retry_in(run.fail(run.take()));
    delay(run.state, retry);
    CHECK_FALSE(take_ready(run.config, run.state));
    CHECK_FALSE(run.state.over());
}

TEST_CASE("a finally waits for a delayed retry among its task's descendants") {
    auto parent = command_step("Parent");
    parent.finally = config::Command{"true"};
    auto config = backing_off();
    config.steps.push_back(parent);
    Run run(workflow_of(config.steps));
    run.begin({"Parent"});
    run.succeed(run.take(), {"A", "P"});
    TaskId retry = retry_in(run.fail(run.take()));
    delay(run.state, retry);
    CHECK(submitted(run.succeed(run.take())).empty());
    make_due(run.state, retry);
    CHECK(submitted(run.succeed(run.take())).size() == 1);
}

TEST_CASE("after a replay a retry that was delayed is due") {
    Run run(backing_off());
    run.begin({"A"});
    TaskId retry = retry_in(run.fail(run.take()));
    delay(run.state, retry);
    Run replayed(run.config);
    replayed.apply_all(run.history);
    CHECK(replayed.take() == retry);
    CHECK(replayed.task(retry).attempt == 2);
}
