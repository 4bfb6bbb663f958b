// The tables of docs/retries.md ("The failure of a phase") and docs/hooks.md, row by row: attempts are run by
// the attempt's machine, and their results are entered into a run.
#include "attempt_helper.hpp"
#include "group_text.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

namespace {

// Step 0 has a pre and a post hook and one retry, and may lead to step 1, which has none of these.
struct Fixture {
    Fixture() : Fixture(command_step("Task")) {}
    explicit Fixture(config::Step step) : run(configured(std::move(step))) { run.begin({"Task"}); }

    static config::WorkflowConfig configured(config::Step step) {
        step.pre = step.post = config::Command{"cat"};
        step.next = {{1}};
        step.options.max_retries = 1;
        return workflow_of({std::move(step), command_step("Next")});
    }

    // Runs the next attempt, and returns what follows from it.
    std::string follows(const Parts& parts) {
        TaskId id = run.take();
        const Task& task = run.task(id);
        last = attempt(run.config, task.step, parts, task.finally_for.has_value(), *task.value);
        return text_of(run.end(id, last.result));
    }
    std::string after_action(AttemptEvent end, Hook post = cat) {
        config::Step& step = run.config.steps[0];
        if (std::holds_alternative<PoolAnswer>(end)) step.action = config::PoolAction{"do it"};
        return follows({cat, std::move(end), std::move(post), prints("[]")});
    }
    std::string after_pre(Hook pre, Hook post = cat) {
        return follows({std::move(pre), responds("[]"), std::move(post), prints("[]")});
    }
    static AttemptEvent responds(std::string output) { return ScriptEnd(ScriptOutput{std::move(output)}); }

    Run run;
    Attempted last;
};

const Hook exits_1 = fails(exited(1));
const auto one_next = R"({"kind":"Success","next":[{"kind":"Next","value":[1.0]}]})";

}  // namespace

// docs/hooks.md: when each hook runs, with what on its stdin

TEST_CASE_METHOD(Fixture,
                 "hook table, pre: before the action, with the value alone; the action gets its output") {
    auto output = responds(R"([{"kind":"Next","value":2}])");
    CHECK(follows({prints("[1.0, 1e400]\n"), output, cat, prints("[]")}) ==
          "0 succeeded: 1; 1 step1 2 child of 0");
    CHECK(last.phases == "pre command post");
    CHECK(last.inputs.at(0) == "{}");
    CHECK(last.inputs.at(1) == R"({"kind":"Task","value":[1.0,1e400]})");
    CHECK_THAT(last.inputs.at(2), Catch::StartsWith(R"({"kind":"Success","input":[1.0,1e400],)"));
}

TEST_CASE_METHOD(Fixture,
                 "hook table, post: after the action, whether it succeeded or failed, with the result") {
    after_action(ScriptEnd(exited(3)));
    CHECK(last.phases == "pre command post");
    CHECK(last.inputs.at(2) == R"({"kind":"Error","input":{},"error":"the command exited with code 3"})");
    after_action(responds("[]"));
    CHECK(last.phases == "pre command post");
    CHECK(last.inputs.at(2) == R"({"kind":"Success","input":{},"output":[],"next":[]})");
}

TEST_CASE("hook table, finally: it runs alone, without the step's other hooks, with the value alone") {
    config::Step step = command_step("Task");
    step.finally = config::Command{"true"};
    Fixture fixture(std::move(step));
    CHECK(fixture.follows({}) == "0 succeeded:; 1 step0 {} finally of 0");
    fixture.follows({});
    CHECK(fixture.last.phases == "finally");
    CHECK(fixture.last.inputs.at(0) == "{}");
}

// docs/retries.md, "The failure of a phase"

TEST_CASE_METHOD(Fixture, "pre fails: no action, the post hook gets PreHookError, retried, then dropped") {
    Hook pre = GENERATE(fails(exited(1)), fails(killed(9)), fails(timed_out()), prints(""), prints("{"));
    CHECK(after_pre(pre) == "0 failed by HookFailedpre, retry 1; 1 step0 {} retry of 0");
    CHECK(last.phases == "pre post");
    CHECK_THAT(last.inputs.at(1),
               Catch::StartsWith(R"({"kind":"PreHookError","input":{},"error":"the pre hook)"));
    CHECK(after_pre(pre) == "1 failed by HookFailedpre, dropped");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(Fixture, "pre fails: the post hook may recover") {
    CHECK(after_pre(exits_1, prints(one_next)) == "0 succeeded: 1; 1 step1 [1.0] child of 0");
    CHECK(last.phases == "pre post");
}

TEST_CASE_METHOD(Fixture, "action fails: the post hook gets Timeout or Error, retried, then dropped") {
    using Row = std::tuple<AttemptEvent, std::string, std::string>;
    auto [end, name, kind] = GENERATE(table<AttemptEvent, std::string, std::string>(
        {Row{ScriptEnd(timed_out()), "Timeout", "Timeout"},
         Row{ScriptEnd(exited(1)), "CommandFailed", "Error"},
         Row{ScriptEnd(killed(11)), "CommandFailed", "Error"},
         Row{ScriptEnd(ScriptOutput{"nonsense"}), "InvalidResponse", "Error"},
         Row{PoolAnswer(PoolTimeout{}), "Timeout", "Timeout"},
         Row{PoolAnswer(PoolRefusal{"too large"}), "InvalidResponse", "Error"},
         Row{PoolAnswer(PoolResponse{"nonsense", ""}), "InvalidResponse", "Error"},
         Row{PoolAnswer(agent_failure()), "AgentFailed", "Error"},
         Row{PoolAnswer(AgentsLost{"three agents died"}), "AgentLost", "Error"}}));
    CHECK(after_action(end) == "0 failed by " + name + ", retry 1; 1 step0 {} retry of 0");
    CHECK_THAT(last.inputs.at(2), Catch::StartsWith(R"({"kind":")" + kind + R"(","input":{})"));
    CHECK(after_action(end) == "1 failed by " + name + ", dropped");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(Fixture, "action fails: what the policy does not retry is dropped after its post hook") {
    AttemptEvent end = GENERATE(AttemptEvent(ScriptEnd(timed_out())), Fixture::responds("nonsense"));
    run.config.steps[0].options.retry_on_timeout = false;
    run.config.steps[0].options.retry_on_invalid_response = false;
    CHECK_THAT(after_action(end), Catch::EndsWith(", dropped"));
    CHECK(last.phases == "pre command post");
}

TEST_CASE_METHOD(Fixture, "post fails: the whole task is retried, with the value it had, then dropped") {
    Hook post = GENERATE(fails(exited(1)), fails(timed_out()), prints(""), prints("done"));
    CHECK(after_action(responds("[]"), post) == "0 failed by HookFailedpost, retry 1; 1 step0 {} retry of 0");
    CHECK(run.state.tasks.at({1}).attempt == 2);
    CHECK(after_action(responds("[]"), post) == "1 failed by HookFailedpost, dropped");
    CHECK(last.phases == "pre command post");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(Fixture, "post fails: the tasks of the action are discarded, and those of the retry count") {
    CHECK(after_action(responds(R"([{"kind":"Next","value":1}])"), exits_1) ==
          "0 failed by HookFailedpost, retry 1; 1 step0 {} retry of 0");
    CHECK(after_action(responds(R"([{"kind":"Next","value":2}])")) == "1 succeeded: 2; 2 step1 2 child of 1");
}

// docs/hooks.md, "The result": what a post hook may make of it

TEST_CASE_METHOD(Fixture, "a Success that is passed through leads to the tasks of the action") {
    CHECK(after_action(responds(R"([{"kind":"Next","value":{}}])")) ==
          "0 succeeded: 1; 1 step1 {} child of 0");
}

TEST_CASE_METHOD(Fixture, "a post hook may remove tasks and add tasks") {
    CHECK(after_action(responds("[]"), prints(one_next)) == "0 succeeded: 1; 1 step1 [1.0] child of 0");
    run.begin({"Task"});
    CHECK(follows({}) == "1 succeeded:");
    CHECK(after_action(responds(R"([{"kind":"Next","value":1}])"),
                       prints(R"({"kind":"Success","next":[]})")) == "2 succeeded:");
    CHECK(run.state.over());
}

TEST_CASE("a post hook may turn each kind of result into each other kind") {
    struct Before {
        std::string kind;
        Hook pre;
        AttemptEvent action;
        std::string same;  // the reason, when the kind stays
    };
    const AttemptEvent success = Fixture::responds("[]");
    const Before befores[] = {{"Success", cat, success, ""},
                              {"Timeout", cat, ScriptEnd(timed_out()), "Timeout"},
                              {"Error", cat, ScriptEnd(exited(1)), "CommandFailed"},
                              {"PreHookError", exits_1, success, "HookFailedpre"}};
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
            CHECK(fixture.follows({before.pre, before.action, prints(output), prints("[]")}) ==
                  (reason.empty() ? "0 succeeded: 1; 1 step1 [1.0] child of 0"
                                  : "0 failed by " + reason + ", retry 1; 1 step0 {} retry of 0"));
        }
}

TEST_CASE_METHOD(Fixture, "a recovery with an invalid next is a failure, and retried as one") {
    CHECK(after_pre(exits_1, prints(R"({"kind":"Success","next":[{"kind":"Task","value":1}]})")) ==
          "0 failed by InvalidResponse, retry 1; 1 step0 {} retry of 0");
}

// docs/hooks.md, "Finally"; docs/retries.md, the last row of "The failure of a phase"

namespace {

struct FinallyFixture : Fixture {
    FinallyFixture() : Fixture(with_finally()) {}

    static config::Step with_finally() {
        config::Step step = command_step("Task");
        step.finally = config::Command{"true"};
        return step;
    }

    // Attempts at a task, or at a finally, of step 0 or 1.
    std::string responding(std::string output) {
        return follows({cat, responds(output), cat, prints(std::move(output))});
    }
    std::string failing() { return follows({cat, ScriptEnd(exited(1)), cat, exits_1}); }
    std::string timing_out() { return follows({cat, ScriptEnd(timed_out()), cat, fails(timed_out())}); }
};

const auto next_1 = R"([{"kind":"Next","value":1.0}])";

}  // namespace

TEST_CASE_METHOD(FinallyFixture, "finally: stdin is the value that the task was submitted with") {
    CHECK(follows({prints("[2]"), responds(next_1), cat, prints("[]")}) ==
          "0 succeeded: 1; 1 step1 1.0 child of 0");
    CHECK(responding("[]") == "1 succeeded:; 2 step0 {} finally of 0");
    CHECK(responding("[]") == "2 succeeded:");
    CHECK(last.inputs == std::vector<std::string>{"{}"});
}

TEST_CASE_METHOD(FinallyFixture, "finally: what it emits are its children, of any step, awaited by nobody") {
    responding("[]");
    CHECK(responding(R"([{"kind":"Next","value":1.0},{"kind":"Task","value":1.0}])") ==
          "1 succeeded: 2 3; 2 step1 1.0 child of 1; 3 step0 1.0 child of 1");
    CHECK(responding("[]") == "2 succeeded:");
    CHECK(responding("[]") == "3 succeeded:; 4 step0 1.0 finally of 3");
}

TEST_CASE_METHOD(FinallyFixture, "finally: it runs even if descendants failed") {
    responding(R"([{"kind":"Next","value":1},{"kind":"Next","value":2}])");
    CHECK(failing() == "1 failed by CommandFailed, dropped");
    CHECK(failing() == "2 failed by CommandFailed, dropped; 3 step0 {} finally of 0");
}

TEST_CASE_METHOD(FinallyFixture,
                 "finally: it runs even if the task itself failed, once, after its last retry") {
    CHECK(failing() == "0 failed by CommandFailed, retry 1; 1 step0 {} retry of 0");
    CHECK(failing() == "1 failed by CommandFailed, dropped; 2 step0 {} finally of 1");
    CHECK(responding("[]") == "2 succeeded:");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(FinallyFixture, "finally fails: it alone is retried, then dropped, and the run continues") {
    run.begin({"Next"});
    responding("[]");
    TaskId other = run.take();
    CHECK(failing() == "2 failed by HookFailedfinally, retry 3; 3 step0 {} retry of 2");
    CHECK(last.phases == "finally");
    CHECK(failing() == "3 failed by HookFailedfinally, dropped");
    CHECK(last.phases == "finally");
    CHECK(text_of(run.succeed(other, {"Next"})) == "1 succeeded: 4; 4 step1 1.0 child of 1");
    responding("[]");
    CHECK(run.state.over());
}

TEST_CASE_METHOD(FinallyFixture, "finally fails: one that was dropped does not keep an outer one waiting") {
    run.config.steps[0].next.push_back({0});
    responding(R"([{"kind":"Task","value":{}}])");
    responding("[]");
    timing_out();
    CHECK(timing_out() == "3 failed by Timeout, dropped; 4 step0 {} finally of 0");
}
