#include "run_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;
using Kind = Failure::Kind;

namespace {

config::WorkflowConfig retrying(std::uint32_t max_retries) {
    auto step = command_step("A");
    step.options.max_retries = max_retries;
    return workflow_of({step});
}

}  // namespace

TEST_CASE("a failed task is retried until its retries are used up, then dropped") {
    Run run(retrying(2));
    run.begin({"A"});
    for (std::uint32_t attempt = 1; attempt <= 2; ++attempt) {
        TaskId task = run.take();
        CHECK(run.task(task).attempt == attempt);
        auto group = run.fail(task);
        REQUIRE(submitted(group).size() == 1);
        CHECK(std::get<Retry>(submitted(group)[0].origin).replaces == task);
        CHECK(std::get<Failed>(std::get<TaskCompleted>(group[0]).outcome).retry == submitted(group)[0].task);
    }
    auto group = run.fail(run.take());
    CHECK(submitted(group).empty());
    CHECK_FALSE(std::get<Failed>(std::get<TaskCompleted>(group[0]).outcome).retry);
    CHECK(run.state.over());
    CHECK(run.counters("A").retried == 2);
    CHECK(run.counters("A").dropped == 1);
    CHECK(run.counters("A").submitted == 1);
}

TEST_CASE("a permanent failure is not retried") {
    config::Step step = command_step("A");
    step.options.max_retries = 3;
    Run run(workflow_of({step}));
    run.begin({"A"});
    Failure failed = failure(Failure::Kind::agent_failed);
    failed.is_permanent = true;
    CHECK(submitted(run.end(run.take(), failed)).empty());
    CHECK(run.counters("A").dropped == 1);
    CHECK(run.state.over());
}

TEST_CASE("the completion of a task contains the agent's report, whether it succeeded or failed") {
    Run run(workflow_of({command_step("A")}));
    run.begin({"A"});
    TaskId task = run.take();
    pool_protocol::AgentReport report{.kind = "claude"};
    for (const AttemptResult& result :
         {AttemptResult(std::vector<config::NewTask>()), AttemptResult(failure(Failure::Kind::timeout))}) {
        Group group = decide(run.config, run.state, task, result, report);
        CHECK(*std::get<TaskCompleted>(group.front()).report == report);
    }
}

TEST_CASE("retries are counted for each logical task by itself") {
    Run run(retrying(1));
    run.begin({"A", "A"});
    TaskId first = run.take(), second = run.take();
    run.fail(first);
    run.fail(second);
    run.fail(run.take());
    run.succeed(run.take());
    CHECK(run.state.over());
    CHECK(run.counters("A").dropped == 1);
    CHECK(run.counters("A").done == 1);
    CHECK(run.counters("A").retried == 2);
}

TEST_CASE("a retry has the value and the parent of what it replaces") {
    auto child = command_step("Child");
    child.options.max_retries = 1;
    Run run(workflow_of({command_step("Parent"), child}));
    run.begin({"Parent"});
    run.succeed(run.take(), {"Child"});
    TaskId task = run.take();
    Value value = run.task(task).value;
    auto retry = submitted(run.fail(task)).at(0);
    CHECK(retry.value == value);
    CHECK(*retry.value == "1.0");
    CHECK(retry.parent == TaskId{0});
    CHECK(run.task(retry.task).attempt == 2);
}

TEST_CASE("retry_on_timeout off drops what timed out and nothing else") {
    auto config = retrying(5);
    config.steps[0].options.retry_on_timeout = false;
    auto kind = GENERATE(Kind::timeout, Kind::agent_lost, Kind::agent_failed, Kind::invalid_response,
                         Kind::command_failed, Kind::hook_failed);
    Run run(config);
    run.begin({"A"});
    CHECK(submitted(run.fail(run.take(), kind)).empty() == (kind == Kind::timeout));
}

TEST_CASE("retry_on_invalid_response off drops what answered wrongly and nothing else") {
    auto config = retrying(5);
    config.steps[0].options.retry_on_invalid_response = false;
    auto kind = GENERATE(Kind::timeout, Kind::agent_lost, Kind::agent_failed, Kind::invalid_response,
                         Kind::command_failed, Kind::hook_failed);
    Run run(config);
    run.begin({"A"});
    CHECK(submitted(run.fail(run.take(), kind)).empty() == (kind == Kind::invalid_response));
}
