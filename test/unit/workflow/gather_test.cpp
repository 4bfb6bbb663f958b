// The attempt at a gather.
#include "attempt_helper.hpp"
#include "json_schema/schema.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

namespace {

// What comes of what was gathered, for a task of the first step with the value `value`.
Attempted gathered(GatherEnd end, const std::string& value = "{}", const std::string& schema = "true") {
    auto split = command_step("Split");
    split.gather = config::Gather{{1}, {{2}}};
    auto sum = command_step("S \"um");
    sum.value_schema = *json_schema::Schema::compile(json::View::of(schema));
    Parts parts;
    parts.gathered = std::move(end);
    return attempt(workflow_of({split, sum, command_step("Note")}), {0}, parts, true, value);
}

}  // namespace

TEST_CASE("a gather submits one task with the value, the results and how many are missing") {
    Attempted end = gathered(Gathered{R"([{"kind":"Note","value":1.0}])", 3}, "[1.0]");
    CHECK(end.phases == "finally");
    REQUIRE(end.next().size() == 1);
    CHECK(end.next()[0].step == config::StepId{1});
    CHECK(end.next()[0].value == R"({"value":[1.0],"results":[{"kind":"Note","value":1.0}],"dropped":3})");
}

TEST_CASE("what does not fit the step is a failure that no retry mends") {
    Attempted end = gathered(Gathered{"[]", 0}, "{}", R"({"properties":{"results":{"minItems":1}}})");
    CHECK(end.failure().kind == Failure::Kind::invalid_response);
    CHECK(end.failure().is_permanent);
    CHECK_THAT(end.failure().message, Catch::StartsWith("the task of the gathered results"));
}

TEST_CASE("results that cannot be read are a failure of the gather") {
    Attempted end = gathered(GatherError{"disk on fire"});
    CHECK(end.failure().kind == Failure::Kind::hook_failed);
    CHECK(end.failure().hook == "gather");
    CHECK(end.failure().message == "gathering the results failed: disk on fire");
    CHECK_FALSE(end.failure().is_permanent);
}
