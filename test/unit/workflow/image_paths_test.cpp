// The images of a task, as its agent is told them.
#include "config/image_paths.hpp"

#include "attempt_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

namespace {

config::Step looking() {
    config::Step step = pool_step("Look");
    std::get<config::PoolAction>(step.action).images = {{"/picture", {"picture"}}, {"/rest", {"rest"}}};
    return step;
}

AttemptAction begun(config::Step step, std::string value) {
    auto config = workflow_of({std::move(step)});
    return AttemptMachine(config, {0}, std::make_shared<const std::string>(std::move(value)), false).begin();
}

Failure failure_of(std::string value, config::Step step = looking()) {
    return std::get<Failure>(std::get<EndAttempt>(begun(std::move(step), std::move(value))).result);
}

}  // namespace

TEST_CASE("paths are taken from the value, as they are written and in their order") {
    CHECK(*config::image_paths(looking(), R"({"rest":["b", "\u0063"],"picture":"a.png"})") ==
          R"(["a.png","b","\u0063"])");
    CHECK(*config::image_paths(looking(), R"({"rest":[],"picture":[]})") == "[]");
    CHECK(*config::image_paths(pool_step("Read"), "1") == "");
    CHECK(*config::image_paths(command_step("Run"), "1") == "");
}

TEST_CASE("an agent is given the paths beside the task") {
    auto action = begun(looking(), R"({"picture":"a","rest":[]})");
    CHECK(std::get<SubmitToPool>(action).payload.text() ==
          R"({"task":{"kind":"Look","value":{"picture":"a","rest":[]}},"instructions":"","images":["a"]})");
}

TEST_CASE("a place without a path fails the attempt, which another one could not help") {
    for (const char* value : {"1", "{}", R"({"picture":"a"})"}) {
        auto failure = failure_of(value);
        CHECK(failure.kind == Failure::Kind::agent_failed);
        CHECK(failure.name == "images");
        CHECK(failure.is_permanent);
        CHECK(failure.message.find("has nothing at \"/") != std::string::npos);
    }
    for (const char* value : {R"({"picture":5})", R"({"picture":["a",5]})", R"({"picture":null})"})
        CHECK(failure_of(value).message ==
              "\"images\" of the step: the value of the task has at \"/picture\" neither the path of a file "
              "nor "
              "an array of such paths");
}

TEST_CASE("a pre hook may make another value the next time, and a post hook sees the failure") {
    config::Step step = looking();
    step.post = config::Command{"cat"};
    CHECK(std::get<RunScript>(begun(step, "1")).phase == Phase::post);
    step = looking();
    step.pre = config::Command{"cat"};
    auto config = workflow_of({step});
    AttemptMachine machine(config, {0}, std::make_shared<const std::string>("1"), false);
    machine.begin();
    auto end = machine.apply(ScriptEnd(ScriptOutput{"{}"}));
    CHECK_FALSE(std::get<Failure>(std::get<EndAttempt>(end).result).is_permanent);
}
