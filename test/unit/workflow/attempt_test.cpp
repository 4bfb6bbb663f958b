// What an attempt's failure says, and what of it is kept for the state log.
#include "attempt_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;
using Kind = Failure::Kind;

namespace {

struct Fixture {
    Attempted ends(AttemptEvent action) { return ends(Parts{cat, std::move(action), cat, prints("[]")}); }
    Attempted ends(const Parts& parts, bool is_finally = false) {
        config::Step step =
            std::holds_alternative<PoolAnswer>(parts.action) ? pool_step("Task") : command_step("Task");
        step.next = {{1}};
        step.pre = pre;
        step.post = post;
        step.finally = config::Command{"true"};
        config = workflow_of({std::move(step), command_step("Next")});
        return attempt(config, {0}, parts, is_finally);
    }

    config::WorkflowConfig config;
    std::optional<config::Command> pre, post;
};

ScriptFailure with_stderr(ScriptFailure failure) {
    failure.description += "\nsome stderr";
    return failure;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "a command's failure says how it ended, with its stderr, and keeps its code") {
    Failure failure = ends(ScriptEnd(with_stderr(exited(3)))).failure();
    CHECK(failure.kind == Kind::command_failed);
    CHECK(failure.message == "the command exited with code 3\nsome stderr");
    CHECK(failure.exit_code == 3);
    CHECK_FALSE(failure.signal);
    CHECK(ends(ScriptEnd(killed(11))).failure().signal == 11);
    CHECK(ends(ScriptEnd(timed_out())).failure().kind == Kind::timeout);
    CHECK(ends(ScriptEnd(timed_out())).failure().message ==
          "the command took longer than its timeout and was ended");
}

TEST_CASE_METHOD(Fixture, "a timeout in the pool names the agent that had the task, and the last reason") {
    Failure failure = ends(PoolAnswer(PoolTimeout{})).failure();
    CHECK(failure.kind == Kind::timeout);
    CHECK(failure.message == "no agent responded within the task's timeout");
    CHECK(ends(PoolAnswer(PoolTimeout{"agent-1", ""})).failure().message ==
          "agent-1 did not respond within the task's timeout");
    CHECK(ends(PoolAnswer(PoolTimeout{"agent claude-2", "it is tired"})).failure().message ==
          "agent claude-2 did not respond within the task's timeout; it is tired");
}

TEST_CASE_METHOD(Fixture, "a pool's refusal, an agent's failure and an agent's death are told apart") {
    Failure refused = ends(PoolAnswer(PoolRefusal{"too large"})).failure();
    CHECK(refused.kind == Kind::invalid_response);
    CHECK(refused.message == "not accepted by the pool: too large");
    Failure failed = ends(PoolAnswer(agent_failure())).failure();
    CHECK(failed.kind == Kind::agent_failed);
    CHECK(failed.message == "the command exited with code 4");
    CHECK(failed.exit_code == 4);
    Failure lost = ends(PoolAnswer(AgentsLost{"three agents died"})).failure();
    CHECK(lost.kind == Kind::agent_lost);
    CHECK(lost.message == "three agents died");
}

TEST_CASE_METHOD(Fixture,
                 "an agent's failure keeps its name, which its message begins with, and is permanent") {
    AgentFailure ended = agent_failure();
    ended.name = "too_large";
    ended.is_permanent = true;
    Failure failed = ends(PoolAnswer(ended)).failure();
    CHECK(failed.name == "too_large");
    CHECK(failed.message == "too_large: the command exited with code 4");
    CHECK(failed.is_permanent);
    post = config::Command{"cat"};
    CHECK(ends(Parts{cat, PoolAnswer(ended), cat, prints("[]")}).failure().is_permanent);
}

TEST_CASE_METHOD(Fixture, "an attempt ends with the agent's report, whatever comes of the answer") {
    pool_protocol::AgentReport report{.kind = "claude", .turns = 7};
    AgentFailure failed = agent_failure();
    failed.report = report;
    for (bool has_post : {false, true}) {
        if (has_post) post = config::Command{"false"};
        for (const PoolAnswer& answer :
             {PoolAnswer(PoolResponse{"[]", "a", report}), PoolAnswer(PoolResponse{"nonsense", "a", report}),
              PoolAnswer(failed)})
            CHECK(ends(Parts{cat, answer, fails(exited(1)), prints("[]")}).report == report);
    }
    CHECK_FALSE(ends(PoolAnswer(PoolResponse{"[]", "a"})).report);
}

TEST_CASE_METHOD(Fixture, "an invalid response is shown, with the agent that it is from") {
    Failure failure = ends(PoolAnswer(PoolResponse{"done!", "agent claude-2"})).failure();
    CHECK(failure.kind == Kind::invalid_response);
    CHECK_THAT(failure.message, Catch::StartsWith("agent claude-2: ") && Catch::EndsWith("\nit was: done!"));
    CHECK_THAT(ends(ScriptEnd(ScriptOutput{""})).failure().message,
               !Catch::StartsWith("agent") && Catch::EndsWith("\nit was empty"));
    CHECK_THAT(ends(ScriptEnd(ScriptOutput{std::string(1000, 'x')})).failure().message,
               Catch::EndsWith("\nit began with: " + std::string(300, 'x') + "…"));
}

TEST_CASE_METHOD(Fixture, "a failed post hook does not hide the failure before it") {
    post = config::Command{"false"};
    Parts parts{cat, ScriptEnd(with_stderr(exited(9))), fails(exited(5)), prints("[]")};
    Failure failure = ends(parts).failure();
    CHECK(failure.kind == Kind::hook_failed);
    CHECK(failure.hook == "post");
    CHECK(failure.message ==
          "the post hook exited with code 5\nbefore that: the command exited with code 9\nsome stderr");
    CHECK_FALSE(failure.exit_code);
    parts.action = ScriptEnd(ScriptOutput{"[]"});
    CHECK(ends(parts).failure().message == "the post hook exited with code 5");
}

TEST_CASE_METHOD(Fixture, "a pre hook's failure is a hook's, whether it timed out or printed no JSON") {
    pre = config::Command{"false"};
    Parts parts{fails(timed_out()), ScriptEnd(ScriptOutput{"[]"}), cat, prints("[]")};
    Failure failure = ends(parts).failure();
    CHECK(failure.kind == Kind::hook_failed);
    CHECK(failure.hook == "pre");
    CHECK(failure.message == "the pre hook took longer than its timeout and was ended");
    parts.pre = prints("nonsense");
    CHECK_THAT(ends(parts).failure().message,
               Catch::StartsWith("the pre hook's output") && Catch::EndsWith("\nit was: nonsense"));
}

TEST_CASE_METHOD(Fixture, "a finally's failure: its timeout is the task's, its tasks may be of any step") {
    Parts parts;
    parts.finally = fails(timed_out());
    Failure failure = ends(parts, true).failure();
    CHECK(failure.kind == Kind::timeout);
    CHECK(failure.message == "the finally hook took longer than its timeout and was ended");
    parts.finally = fails(exited(1));
    failure = ends(parts, true).failure();
    CHECK(failure.kind == Kind::hook_failed);
    CHECK(failure.hook == "finally");
    parts.finally = prints("nonsense");
    failure = ends(parts, true).failure();
    CHECK(failure.kind == Kind::invalid_response);
    CHECK_THAT(failure.message,
               Catch::StartsWith("the finally hook's output") && Catch::EndsWith("\nit was: nonsense"));
    parts.finally = prints(R"([{"kind":"Task","value":1.0}])");
    auto next = ends(parts, true).next();
    REQUIRE(next.size() == 1);
    CHECK(next[0].step == config::StepId{0});
    CHECK(next[0].value == "1.0");
}

TEST_CASE_METHOD(Fixture, "what prints more than a response may have gives an invalid response") {
    ScriptFailure ended;
    ended.description = "wrote too much to its stdout and was ended";
    ended.printed_too_much = true;
    Failure failure = ends(ScriptEnd(ended)).failure();
    CHECK(failure.kind == Kind::invalid_response);
    CHECK(failure.message ==
          "invalid response: it has more than the 67108864 bytes that are allowed (max_response_bytes)\n"
          "the command wrote too much to its stdout and was ended");
    Parts parts;
    parts.finally = fails(ended);
    failure = ends(parts, true).failure();
    CHECK(failure.kind == Kind::invalid_response);
    CHECK_THAT(failure.message,
               Catch::StartsWith("the finally hook's output: it has more than the 67108864"));
    parts.pre = fails(ended);
    pre = config::Command{"yes"};
    CHECK(ends(parts).failure().kind == Kind::hook_failed);
}

TEST_CASE("a script may print as much as a response may have, and a post hook what is around it") {
    auto step = command_step("A");
    step.pre = step.post = step.finally = config::Command{"true"};
    auto limits = [&](std::uint32_t bytes) {
        step.options.max_response_bytes = bytes;
        auto config = workflow_of({step});
        std::vector<std::size_t> found;
        for (bool is_finally : {false, true}) {
            AttemptMachine machine(config, {0}, std::make_shared<const std::string>("1"), is_finally);
            AttemptAction action = machine.begin();
            while (auto* script = std::get_if<RunScript>(&action)) {
                found.push_back(script->max_output);
                action = machine.apply(ScriptEnd(ScriptOutput{"[]"}));
            }
        }
        return found;
    };
    constexpr std::size_t usual = std::size_t{64} << 20;
    CHECK(limits(1000) == std::vector<std::size_t>{usual, 1000, usual, 1000});
    CHECK(limits(80'000'000) == std::vector<std::size_t>{usual, 80'000'000, 80'004'096, 80'000'000});
}
