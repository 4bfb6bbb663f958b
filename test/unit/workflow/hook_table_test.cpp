// The tables of the hooks document, row by row, as the sequences of entries that each case leads to: what the
// phases of an attempt bring about is put together as the lifecycle does it, from the texts that hooks print.
#include "run_helper.hpp"
#include "workflow/hooks.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;
using Kind = Failure::Kind;

namespace {

std::string text_of(const TaskCompleted& entry) {
    std::string text = std::to_string(entry.task.value);
    if (auto* succeeded = std::get_if<Succeeded>(&entry.outcome)) {
        text += " succeeded:";
        for (TaskId child : succeeded->spawned)
            text += " " + std::to_string(child.value);
        return text;
    }
    const auto& failed = std::get<Failed>(entry.outcome);
    static const char* kinds[] = {"Timeout",         "AgentLost",     "AgentFailed",
                                  "InvalidResponse", "CommandFailed", "HookFailed"};
    text += std::string(" failed by ") + kinds[static_cast<int>(failed.failure.kind)] + failed.failure.hook;
    return text + (failed.retry ? ", retry " + std::to_string(failed.retry->value) : ", dropped");
}

std::string origin_of(const TaskSubmitted& entry) {
    if (auto* retry = std::get_if<Retry>(&entry.origin))
        return "retry of " + std::to_string(retry->replaces.value);
    if (auto* finally = std::get_if<Finally>(&entry.origin))
        return "finally of " + std::to_string(finally->finally_for.value);
    return entry.parent ? "child of " + std::to_string(entry.parent->value) : "initial";
}

// As in "0 failed by Timeout, retry 1; 1 step0 {} retry of 0".
std::string text_of(const std::vector<TaskSubmitted>& entries) {
    std::string text;
    for (const auto& entry : entries)
        text += "; " + std::to_string(entry.task.value) + " step" + std::to_string(entry.step.value) + " " +
                *entry.value + " " + origin_of(entry);
    return text;
}

std::string text_of(const Group& group) {
    return text_of(std::get<TaskCompleted>(group.front())) + text_of(submitted(group));
}

// Step 0 has the hooks, one retry, and may lead to step 1, which has neither.
struct Fixture {
    Fixture() : Fixture(command_step("Task")) {}
    explicit Fixture(config::Step step) : run(configured(std::move(step))) { run.begin({"Task"}); }

    static config::WorkflowConfig configured(config::Step step) {
        step.next = {{1}};
        step.options.max_retries = 1;
        return workflow_of({std::move(step), command_step("Next")});
    }

    const config::Step& step() const { return run.config.steps[0]; }

    // The attempt's end, when the post hook prints that.
    std::string post_prints(const ActionResult& action, std::string_view output) {
        return text_of(run.end(run.take(), read_post_hook(run.config, step(), action, output)));
    }
    // … or prints what it read.
    std::string post_passes(const ActionResult& action) {
        return post_prints(action, post_hook_input("{}", action));
    }
    std::string post_exits_1() { return text_of(run.end(run.take(), hook_failure("post", "exit code 1"))); }

    Run run;
};

const Failure pre_failed = hook_failure("pre", "exit code 1");
const auto one_next = R"({"kind":"Success","next":[{"kind":"Next","value":[1.0]}]})";

ActionResult answered(std::string output) {
    return ActionSuccess{std::move(output), {}};
}

}  // namespace

// Retry table

TEST_CASE_METHOD(Fixture, "row 1: a failed pre hook is told to the post hook, and retried, then dropped") {
    CHECK(post_passes(pre_failed) == "0 failed by HookFailedpre, retry 1; 1 step0 {} retry of 0");
    CHECK(post_passes(pre_failed) == "1 failed by HookFailedpre, dropped");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(Fixture, "row 1: after a failed pre hook the post hook may recover") {
    CHECK(post_prints(pre_failed, one_next) == "0 succeeded: 1; 1 step1 [1.0] child of 0");
}

TEST_CASE_METHOD(Fixture, "row 2: a failed action is told to the post hook, and retried, then dropped") {
    auto [kind, name] = GENERATE(table<Kind, std::string>({{Kind::timeout, "Timeout"},
                                                           {Kind::agent_lost, "AgentLost"},
                                                           {Kind::agent_failed, "AgentFailed"},
                                                           {Kind::invalid_response, "InvalidResponse"},
                                                           {Kind::command_failed, "CommandFailed"}}));
    CHECK(post_passes(failure(kind)) == "0 failed by " + name + ", retry 1; 1 step0 {} retry of 0");
    CHECK(post_passes(failure(kind)) == "1 failed by " + name + ", dropped");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(Fixture, "row 2: what the policy does not retry is dropped after its post hook") {
    auto kind = GENERATE(Kind::timeout, Kind::invalid_response);
    run.config.steps[0].options.retry_on_timeout = false;
    run.config.steps[0].options.retry_on_invalid_response = false;
    CHECK_THAT(post_passes(failure(kind)), Catch::EndsWith(", dropped"));
}

TEST_CASE_METHOD(Fixture, "row 3: a failed post hook has the whole task tried again, with the value it had") {
    CHECK(post_exits_1() == "0 failed by HookFailedpost, retry 1; 1 step0 {} retry of 0");
    CHECK(run.state.tasks.at({1}).attempt == 2);
    CHECK(post_exits_1() == "1 failed by HookFailedpost, dropped");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(Fixture,
                 "row 3: a failed post hook loses what the action asked for, and the retry's counts") {
    CHECK(post_exits_1() == "0 failed by HookFailedpost, retry 1; 1 step0 {} retry of 0");
    CHECK(post_passes(answered("[{\"kind\":\"Next\",\"value\":2}]")) ==
          "1 succeeded: 2; 2 step1 2 child of 1");
}

// What the post hook receives, and what it may make of it

TEST_CASE_METHOD(Fixture, "a Success that is passed through spawns what the action asked for") {
    CHECK(post_passes(answered("[{\"kind\":\"Next\",\"value\":{}}]")) ==
          "0 succeeded: 1; 1 step1 {} child of 0");
}

TEST_CASE_METHOD(Fixture, "a post hook may filter and add next tasks") {
    CHECK(post_prints(answered("[{\"kind\":\"Next\",\"value\":1}]"), R"({"kind":"Success","next":[]})") ==
          "0 succeeded:");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(Fixture, "each kind may become each other kind") {
    struct Before {
        std::string kind;
        ActionResult result;
        std::string same;  // the reason, when the kind stays
    };
    const Before befores[] = {{"Success", answered("[]"), ""},
                              {"Timeout", failure(Kind::timeout), "Timeout"},
                              {"Error", failure(Kind::command_failed), "CommandFailed"},
                              {"PreHookError", pre_failed, "HookFailedpre"}};
    const std::pair<std::string, std::string> afters[] = {{"Success", ""},
                                                          {"Timeout", "Timeout"},
                                                          {"Error", "HookFailedpost"},
                                                          {"PreHookError", "HookFailedpost"}};
    for (const auto& before : befores)
        for (const auto& [kind, changed] : afters) {
            INFO(before.kind << " becomes " << kind);
            Fixture fixture;
            std::string output =
                kind == "Success" ? one_next : R"({"kind":")" + kind + R"(","input":{},"error":"why"})";
            std::string reason = kind == before.kind ? before.same : changed;
            CHECK(fixture.post_prints(before.result, output) ==
                  (reason.empty() ? "0 succeeded: 1; 1 step1 [1.0] child of 0"
                                  : "0 failed by " + reason + ", retry 1; 1 step0 {} retry of 0"));
        }
}

TEST_CASE_METHOD(Fixture, "a recovery with an invalid next is a failure, and retried as one") {
    CHECK(post_prints(pre_failed, R"({"kind":"Success","next":[{"kind":"Task","value":1}]})") ==
          "0 failed by InvalidResponse, retry 1; 1 step0 {} retry of 0");
}

// The finally contract

namespace {

struct FinallyFixture : Fixture {
    FinallyFixture() : Fixture(with_finally()) {}

    static config::Step with_finally() {
        config::Step step = command_step("Task");
        step.finally = config::Command{"true"};
        return step;
    }
};

}  // namespace

TEST_CASE_METHOD(FinallyFixture, "finally: stdin is the value that the task was submitted with") {
    CHECK(text_of(run.succeed(run.take(), {"Next"})) == "0 succeeded: 1; 1 step1 1.0 child of 0");
    CHECK(text_of(run.succeed(run.take())) == "1 succeeded:; 2 step0 {} finally of 0");
}

TEST_CASE_METHOD(FinallyFixture, "finally: what it emits are its children, of any step, awaited by nobody") {
    run.succeed(run.take());
    CHECK(text_of(run.succeed(run.take(), {"Next", "Task"})) ==
          "1 succeeded: 2 3; 2 step1 1.0 child of 1; 3 step0 1.0 child of 1");
    CHECK(text_of(run.succeed(run.take())) == "2 succeeded:");
    CHECK(text_of(run.succeed(run.take())) == "3 succeeded:; 4 step0 1.0 finally of 3");
}

TEST_CASE_METHOD(FinallyFixture, "finally: it runs even if descendants failed") {
    run.succeed(run.take(), {"Next", "Next"});
    CHECK(text_of(run.fail(run.take())) == "1 failed by CommandFailed, dropped");
    CHECK(text_of(run.fail(run.take())) == "2 failed by CommandFailed, dropped; 3 step0 {} finally of 0");
}

TEST_CASE_METHOD(FinallyFixture,
                 "finally: it runs even if the task itself failed, once, after its last retry") {
    CHECK(text_of(run.fail(run.take())) == "0 failed by CommandFailed, retry 1; 1 step0 {} retry of 0");
    CHECK(text_of(run.fail(run.take())) == "1 failed by CommandFailed, dropped; 2 step0 {} finally of 1");
    CHECK(text_of(run.succeed(run.take())) == "2 succeeded:");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(FinallyFixture, "finally: its failure is retried, then dropped, and the workflow goes on") {
    run.begin({"Next"});
    run.succeed(run.take());
    TaskId other = run.take(), finally = run.take();
    CHECK(text_of(run.end(finally, hook_failure("finally", "exit code 1"))) ==
          "2 failed by HookFailedfinally, retry 3; 3 step0 {} retry of 2");
    CHECK(text_of(run.end(run.take(), hook_failure("finally", "exit code 1"))) ==
          "3 failed by HookFailedfinally, dropped");
    CHECK(text_of(run.succeed(other, {"Next"})) == "1 succeeded: 4; 4 step1 1.0 child of 1");
    run.succeed(run.take());
    CHECK(run.state.over());
}

TEST_CASE_METHOD(FinallyFixture, "finally: one that gave up does not keep an outer one waiting") {
    TaskId outer = run.take();
    run.succeed(outer, {"Task"});
    run.succeed(run.take());
    run.fail(run.take(), Kind::timeout);
    CHECK(text_of(run.fail(run.take(), Kind::timeout)) ==
          "3 failed by Timeout, dropped; 4 step0 {} finally of 0");
}
