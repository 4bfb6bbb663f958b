// The bounds of a run in its config, and the limits of a response.
#include "config/description.hpp"
#include "config/response.hpp"
#include "load_helper.hpp"

namespace {

using namespace config_test;

std::string with_options_of_step(const std::string& options, const std::string& step_options = "{}") {
    return "{\"options\": " + options + R"(, "steps": [{"name": "A", "next": ["A"], "action": )" +
           R"({"kind": "Command", "script": "true"}, "options": )" + step_options + "}]}";
}

std::string problem_of_options(const std::string& options, const std::string& step_options = "{}") {
    CHECK_FALSE(violation_of_schema_document(with_options_of_step(options, step_options)).empty());
    return problems(load(with_options_of_step(options, step_options)));
}

// Of so many tasks, each of 23 bytes.
std::string tasks(std::size_t count) {
    std::string tasks;
    for (std::size_t i = 0; i < count; ++i)
        tasks += (i > 0 ? "," : "") + std::string(R"({"kind":"A","value":10})");
    return "[" + tasks + "]";
}

std::string complaint(const config::WorkflowConfig& config, const std::string& response) {
    auto read = config::parse_response(config, config.steps[0], response);
    auto emitted = config::parse_tasks(config, config.steps[0], response, "the output");
    REQUIRE(read.has_value() == emitted.has_value());
    if (read.has_value()) return "";
    std::string why = read.error().message.substr(std::string("invalid response: ").size());
    CHECK(emitted.error().message == "the output: " + why);
    return why;
}

}  // namespace

TEST_CASE("a config has bounds") {
    auto bounds =
        good(with_options_of_step(R"({"max_tasks": 10, "max_depth": 4294967295, "max_run_seconds": 0.5})"))
            .bounds;
    CHECK(bounds.any());
    CHECK(bounds.max_tasks == 10U);
    CHECK(bounds.max_depth == 4'294'967'295U);
    CHECK(bounds.max_run_seconds == std::chrono::duration<double>(0.5));
    CHECK_FALSE(good(with_options_of_step("{}")).bounds.any());
    for (const char* one : {R"({"max_tasks": 1})", R"({"max_depth": 1})", R"({"max_run_seconds": 1})"})
        CHECK(good(with_options_of_step(one)).bounds.any());
}

TEST_CASE("bounds that are none") {
    for (const char* wrong :
         {R"({"max_tasks": 0})", R"({"max_tasks": 1.5})", R"({"max_tasks": "1"})",
          R"({"max_tasks": 4294967296})", R"({"max_depth": 0})", R"({"max_run_seconds": 0})",
          R"({"max_run_seconds": -1})", R"({"max_response_bytes": 0})",
          R"({"max_response_bytes": 1000000001})", R"({"max_tasks_per_response": 0})"}) {
        INFO(wrong);
        CHECK_FALSE(problem_of_options(wrong).empty());
    }
    for (const char* of_the_run : {"max_tasks", "max_depth", "max_run_seconds"})
        CHECK_THAT(problem_of_options("{}", std::string("{\"") + of_the_run + "\": 1}"),
                   Catch::Contains(std::string("\"") + of_the_run + "\""));
}

TEST_CASE("the limits of a response are those of the step, or of the workflow, or the usual ones") {
    auto limits = [](const std::string& options, const std::string& step_options) {
        auto found = good(with_options_of_step(options, step_options)).steps[0].options;
        return std::pair(found.max_response_bytes, found.max_tasks_per_response);
    };
    CHECK(limits("{}", "{}") == std::pair(67'108'864U, 100'000U));
    CHECK(limits(R"({"max_response_bytes": 7})", R"({"max_tasks_per_response": 8})") == std::pair(7U, 8U));
    CHECK(limits(R"({"max_response_bytes": 7})", R"({"max_response_bytes": 9})") == std::pair(9U, 100'000U));
}

TEST_CASE("a response with more tasks than are allowed is invalid") {
    auto config = good(with_options_of_step("{}", R"({"max_tasks_per_response": 2})"));
    CHECK(complaint(config, tasks(2)).empty());
    CHECK(complaint(config, tasks(3)) ==
          "it has 3 tasks, more than the 2 that are allowed (max_tasks_per_response)");
}

TEST_CASE("a response with more bytes than are allowed is invalid, and is not read") {
    auto config = good(with_options_of_step(R"({"max_response_bytes": 49})"));
    CHECK(complaint(config, tasks(2)).empty());
    CHECK(complaint(config, tasks(2) + " ") ==
          "it has more than the 49 bytes that are allowed (max_response_bytes)");
    CHECK_THAT(complaint(config, std::string(50, 'x')), Catch::Contains("max_response_bytes"));
}

TEST_CASE("the description of a workflow tells its bounds, and limits that are not the usual ones") {
    std::string told = config::describe(
        good(with_options_of_step(R"({"max_tasks": 10, "max_depth": 3, "max_run_seconds": 90})",
                                  R"({"max_tasks_per_response": 1, "max_response_bytes": 500})")),
        "W");
    for (const char* line :
         {"It has at most 10 tasks.\n", "Tasks descend at most to depth 3.\n", "It starts tasks for 90 s.\n",
          "- A response has at most 1 task\n", "- A response has at most 500 bytes\n"})
        CHECK_THAT(told, Catch::Contains(line));
    std::string usual = config::describe(good(with_options_of_step("{}")), "W");
    CHECK_THAT(usual, !Catch::Contains("at most"));
}
