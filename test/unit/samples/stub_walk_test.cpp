#include "samples/stub_walk.hpp"

#include "json_schema/schema.hpp"
#include "run_helper.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace workflow_test;
using samples::StubWalk;

config::Step leading_to(std::string name, std::vector<config::StepId> next) {
    config::Step step = command_step(std::move(name));
    step.next = std::move(next);
    return step;
}

void demand(config::Step& step, const char* schema) {
    step.value_schema = json_schema::Schema::compile(json::View::of(schema)).value();
}

// The steps in the order in which they were at work, by the machine and the walk's answers.
std::string walk(Run& run, StubWalk& answers) {
    std::string order;
    while (auto id = take_ready(run.config, run.state)) {
        const Task& task = run.task(*id);
        bool is_finally = task.finally_for.has_value();
        order += run.config.step(task.step).name + (is_finally ? "(finally) " : " ");
        REQUIRE(order.size() < 10'000);
        run.end(*id, answers.answer(task.step, is_finally));
    }
    CHECK(run.state.over());
    return order;
}

constexpr config::StepId a{0}, b{1}, c{2}, d{3};

}  // namespace

TEST_CASE("each transition is taken once, and then the walk ends") {
    Run run(workflow_of({leading_to("A", {a, b, c}), leading_to("B", {c, a}), leading_to("C", {b})}));
    StubWalk answers(run.config);
    run.begin({"A"});
    CHECK(walk(run, answers) == "A A B C C A B ");
    CHECK(answers.transitions_taken() == 6);
    CHECK(answers.transitions() == 6);
    CHECK(answers.steps_visited() == 3);
    CHECK(answers.never_reached().empty());
    CHECK(answers.failures().empty());
}

TEST_CASE("steps that nothing leads to are never reached") {
    Run run(
        workflow_of({leading_to("A", {b}), leading_to("B", {}), leading_to("C", {d}), leading_to("D", {})}));
    StubWalk answers(run.config);
    run.begin({"A"});
    CHECK(walk(run, answers) == "A B ");
    CHECK(answers.never_reached() == std::vector{c, d});
    CHECK(answers.transitions_taken() == 1);
    CHECK(answers.transitions() == 2);
    CHECK_FALSE(answers.met_open_finally());
}

TEST_CASE("a finally leads once to the steps that its script names") {
    config::Step first = leading_to("A", {});
    first.finally = config::Command{R"(echo '[{"kind":"B","value":{}}]')"};
    Run run(workflow_of({first, leading_to("B", {a})}));
    StubWalk answers(run.config);
    run.begin({"A"});
    CHECK(walk(run, answers) == "A A(finally) B A A(finally) ");
    CHECK_FALSE(answers.met_open_finally());
    CHECK(answers.transitions_taken() == 2);
    CHECK(answers.transitions() == 2);
}

TEST_CASE("a finally whose script names no step is walked to and leads nowhere") {
    config::Step first = leading_to("A", {b});
    first.finally = config::Command{"true"};
    Run run(workflow_of({first, leading_to("B", {a})}));
    StubWalk answers(run.config);
    run.begin({"A"});
    CHECK(walk(run, answers) == "A B A A(finally) A(finally) ");
    CHECK(answers.met_open_finally());
}

TEST_CASE("the made-up values satisfy the schemas of their steps") {
    config::Step second = leading_to("B", {});
    demand(second, R"({"type":"object","required":["file"],"properties":{"file":{"type":"string"}}})");
    Run run(workflow_of({leading_to("A", {b}), second}));
    auto tasks = StubWalk(run.config).answer(a, false);
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0].value == R"({"file":"text"})");
}

TEST_CASE("a step for which no value is found is named and not walked to") {
    config::Step second = leading_to("B", {c});
    demand(second, R"({"type":"string","minLength":2,"maxLength":1})");
    Run run(workflow_of({leading_to("A", {b, c}), second, leading_to("C", {})}));
    StubWalk answers(run.config);
    run.begin({"A"});
    CHECK(walk(run, answers) == "A C ");
    REQUIRE(answers.failures().size() == 1);
    CHECK_THAT(answers.failures()[0], Catch::StartsWith("A → B: the value_schema of B: no value was found"));
    CHECK(answers.never_reached() == std::vector{b});
}
