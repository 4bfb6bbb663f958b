// A Command that an agent of the pool runs, in an attempt.
#include "attempt_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;
using Kind = Failure::Kind;

namespace {

config::WorkflowConfig one_command() {
    config::Step step = pool_step("Task");
    step.action = config::PoolAction{"", *base::Labels().with_shell_label(), config::Command{"make"}};
    step.options.max_response_bytes = 1000;
    step.options.timeout = std::chrono::seconds(3);
    return workflow_of({std::move(step)});
}

AttemptResult end_with(AttemptEvent event) {
    auto config = one_command();
    AttemptMachine machine(config, {0}, std::make_shared<const std::string>("1"), false);
    machine.begin();
    return std::get<EndAttempt>(machine.apply(std::move(event))).result;
}

}  // namespace

TEST_CASE("an agent is given the script, with what it would get here") {
    auto config = one_command();
    AttemptMachine machine(config, {0}, std::make_shared<const std::string>("1.0"), false);
    auto action = machine.begin();
    const auto& script = std::get<RunScript>(action);
    CHECK(script.phase == Phase::pool);
    CHECK(script.name == "command");
    CHECK(script.script == "make");
    CHECK(script.input.text() == R"({"kind":"Task","value":1.0})");
    CHECK(script.timeout == std::chrono::seconds(3));
    CHECK(script.max_output == 1000);
}

TEST_CASE("how the script ends is treated as here, and that it was not run as an agent's failure") {
    CHECK(std::holds_alternative<std::vector<config::NewTask>>(end_with(ScriptEnd(ScriptOutput{"[]"}))));
    auto failed = std::get<Failure>(end_with(ScriptEnd(exited(3))));
    CHECK(failed.kind == Kind::command_failed);
    CHECK(failed.message == "the command exited with code 3");
    CHECK(failed.exit_code == 3);
    CHECK(std::get<Failure>(end_with(ScriptEnd(timed_out()))).kind == Kind::timeout);
    CHECK(std::get<Failure>(end_with(ScriptEnd(ScriptOutput{"words"}))).kind == Kind::invalid_response);
    CHECK(std::get<Failure>(end_with(PoolAnswer(PoolTimeout{}))).kind == Kind::timeout);
    CHECK(std::get<Failure>(end_with(PoolAnswer(AgentsLost{"3 died"}))).kind == Kind::agent_lost);
    CHECK(std::get<Failure>(end_with(PoolAnswer(agent_failure()))).kind == Kind::agent_failed);
}
