// The first tasks of a run, from options to checked values.
#include "launch/first_tasks.hpp"

#include "config/load.hpp"
#include "launch/parameters.hpp"

#include <catch2/catch.hpp>

namespace {

constexpr const char* workflow = R"({"entrypoint": "List", "steps": [
  {"name": "List", "action": {"kind": "Command", "script": "ls"}, "next": ["Read"],
   "value_schema": {"type": "object", "properties": {"directory": {"type": "string"}}, "required": ["directory"]}},
  {"name": "Read", "action": {"kind": "Command", "script": "cat"}, "next": [], "value_schema": {"type": "integer"}}]})";

config::WorkflowConfig loaded(const char* text = workflow) {
    auto result = config::load_text(text, "w.jsonc", "/");
    REQUIRE(result.config.has_value());
    return std::move(*result.config);
}

launch::RunOptions with_value(const std::string& value) {
    launch::RunOptions options;
    options.entrypoint_value = value;
    return options;
}

std::string error_of(const launch::RunOptions& options, const config::WorkflowConfig& config = loaded()) {
    auto tasks = launch::first_tasks(config, options);
    REQUIRE(tasks.has_error());
    return tasks.error().message;
}

}  // namespace

TEST_CASE("a run begins with one task of the entrypoint, whose value is made compact") {
    auto tasks = launch::first_tasks(loaded(), with_value(R"({ "directory" : "src" })"));
    REQUIRE(tasks.has_value());
    REQUIRE(tasks->size() == 1);
    CHECK(tasks->front().step == config::StepId{0});
    CHECK(tasks->front().value == R"({"directory":"src"})");
}

TEST_CASE("the value of the first task must fit its step") {
    CHECK_THAT(error_of({}), Catch::Contains("directory"));
    std::string message = error_of(with_value(R"({"directory": 3})"));
    CHECK_THAT(message, Catch::Contains("--entrypoint-value has 1 error; nothing was started:"));
    CHECK_THAT(message, Catch::Contains("<inline>:1:15"));
}

TEST_CASE("parameters give the value of the first task") {
    launch::RunOptions options;
    options.parameters = launch::parse_parameters({"directory=a b"}).value();
    auto tasks = launch::first_tasks(loaded(), options);
    REQUIRE(tasks.has_value());
    CHECK(tasks->front().value == R"({"directory":"a b"})");
    options.parameters = launch::parse_parameters({"directory:=1"}).value();
    CHECK_THAT(error_of(options), Catch::Contains("directory"));
}

TEST_CASE("an initial state gives any number of tasks of any steps") {
    launch::RunOptions options;
    options.initial_state =
        R"([{"kind": "Read", "value": 1}, {"kind": "List", "value": {"directory": "x"}}, {"kind": "Read", "value": 2}])";
    auto tasks = launch::first_tasks(loaded(), options);
    REQUIRE(tasks.has_value());
    REQUIRE(tasks->size() == 3);
    CHECK((*tasks)[0].step == config::StepId{1});
    CHECK((*tasks)[2].value == "2");
}

TEST_CASE("every mistake of an initial state is told with its place") {
    launch::RunOptions options;
    options.initial_state = R"([{"kind": "Raed", "value": 1}, {"kind": "Read", "value": "x"}])";
    std::string message = error_of(options);
    CHECK_THAT(message, Catch::Contains("--initial-state has 2 errors; nothing was started:"));
    CHECK_THAT(message, Catch::Contains("Raed"));
    CHECK_THAT(message, Catch::Contains("<inline>:1:"));
}

TEST_CASE("without an entrypoint a run needs an initial state") {
    auto config =
        loaded(R"({"steps": [{"name": "A", "action": {"kind": "Command", "script": "x"}, "next": []}]})");
    CHECK_THAT(error_of({}, config), Catch::Contains("--initial-state"));
}

TEST_CASE("a value that is not JSON is told where it stops to be") {
    CHECK_THAT(error_of(with_value("{\"directory\": ]")), Catch::Contains("<inline>:1:15"));
}
