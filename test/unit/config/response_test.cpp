#include "config/response.hpp"

#include "config/load.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

const config::WorkflowConfig& workflow() {
    static const auto loaded = config::load_text(R"({"steps": [
        {"name": "Start", "action": {"kind": "Pool"}, "next": ["Work", "End"]},
        {"name": "Work", "action": {"kind": "Pool"}, "next": ["End"],
         "value_schema": {"type": "object", "required": ["file"],
                          "properties": {"file": {"type": "string"}}}},
        {"name": "End", "action": {"kind": "Pool"}}]})",
                                                 "w", "/");
    return *loaded.config;
}

auto respond(std::string_view text, std::size_t step = 0) {
    return config::parse_response(workflow(), workflow().steps[step], text);
}

std::string complaint(std::string_view text, std::size_t step = 0) {
    auto tasks = respond(text, step);
    return tasks.has_error() ? tasks.error().message : "";
}

// The value of a task of End as it comes out.
std::string passed(const std::string& value) {
    auto tasks = respond("[{\"kind\": \"End\", \"value\": " + value + "}]");
    REQUIRE(tasks.has_value());
    REQUIRE(tasks->size() == 1);
    return tasks->front().value;
}

std::string repeat(std::string_view piece, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += piece;
    return out;
}

}  // namespace

TEST_CASE("a response gives tasks of the next steps, in order") {
    auto tasks =
        respond(R"( [ {"kind": "End", "value": null}, {"value": {"file": "a" }, "kind": "W\u006frk"} ] )");
    REQUIRE(tasks.has_value());
    REQUIRE(tasks->size() == 2);
    CHECK((*tasks)[0].step == config::StepId{2});
    CHECK((*tasks)[0].value == "null");
    CHECK((*tasks)[1].step == config::StepId{1});
    CHECK((*tasks)[1].value == R"({"file":"a"})");
}

TEST_CASE("an empty array ends the chain") {
    CHECK(respond("[]")->empty());
    CHECK(respond(" [ ]\n", 2)->empty());
}

TEST_CASE("a value passes through with its text") {
    for (auto value :
         {"1.0", "1e400", "123456789012345678901234567890", "\"\\u00e9\"", "\"\xC3\xA9\\/\"", "-0.0E+0",
          "{\"z\":1,\"a\":2,\"m\":[1.50,{}]}", "{\"twice\":1,\"twice\":2}", "1e99999999999"}) {
        CHECK(passed(value) == value);
    }
    CHECK(passed("{ \"b\" : [ 1.0 ,\n2 ] }") == "{\"b\":[1.0,2]}");
}

TEST_CASE("deep and large values pass through") {
    std::string deep = repeat("[", 500) + repeat("]", 500);
    CHECK(passed(deep) == deep);
    std::string large = "\"" + std::string(40u << 20, 'x') + "\"";
    CHECK(passed(large) == large);
}

TEST_CASE("text that is no JSON array is refused") {
    CHECK(complaint(" \n") == "invalid response: it is empty; use [] for no tasks");
    CHECK(complaint("Done.\n[]") ==
          "invalid response: line 1, column 1: unknown word; expected true, false, null, a number, or a "
          "string in double "
          "quotes");
    CHECK(complaint("[] // done") == "invalid response: line 1, column 4: comments are not allowed here");
    CHECK(complaint("{}") == "invalid response: expected a JSON array of tasks, found an object");
}

TEST_CASE("a task that is not of the right shape is refused, and it is said which") {
    CHECK(complaint(R"([{"kind": "End", "value": 1}, 5])") ==
          "invalid response: element 2: expected an object with \"kind\" and \"value\", found a number");
    CHECK(complaint(R"([{"value": 1}])") == "invalid response: element 1: \"kind\" is missing");
    CHECK(complaint(R"([{"kind": "End"}])") == "invalid response: element 1: \"value\" is missing");
    CHECK(complaint(R"([{"kind": 5, "value": 1}])") ==
          "invalid response: element 1: \"kind\" must be a string, not a number");
    CHECK(complaint(R"([{"kind": "End", "value": 1, "valeu": 2}])") ==
          "invalid response: element 1: unknown member \"valeu\"; a task has \"kind\" and \"value\"");
    CHECK(complaint(R"([{"kind": "End", "value": 1, "v\u0061lue": 2}])") ==
          "invalid response: element 1: \"value\" occurs twice");
    CHECK(complaint(R"([{"kind": "End", "kind": "Work", "value": 1}])") ==
          "invalid response: element 1: \"kind\" occurs twice");
}

TEST_CASE("a kind must be one of the next steps") {
    CHECK(complaint(R"([{"kind": "Start", "value": 1}])") ==
          "invalid response: element 1: kind \"Start\" is not a next step of \"Start\"; expected \"Work\" or "
          "\"End\"");
    CHECK(complaint(R"([{"kind": "end", "value": 1}])", 1) ==
          "invalid response: element 1: kind \"end\" is not a next step of \"Work\"; expected \"End\"");
    CHECK(
        complaint(R"([{"kind": "End", "value": 1}])", 2) ==
        "invalid response: element 1: kind \"End\" is not a next step of \"End\"; this step is terminal: [] "
        "is the only "
        "response");
}

TEST_CASE("a value must satisfy its step's schema") {
    CHECK(complaint(R"([{"kind": "Work", "value": {"file": 5}}])") ==
          "invalid response: element 1: the value does not fit the schema of \"Work\": at /file: expected "
          "string, found an integer (schema: /properties/file/type)");
}

TEST_CASE("all mistakes of the first tasks are told, each with its place") {
    std::string_view text = R"([
  {"kind": "Wrok", "value": 1},
  {"kind": "Work", "value": {"file": 5}},
  {"kind": "End", "value": 1},
  {"kind": "End", "valeu": 1}
])";
    config::ProblemList problems(text, "<inline>");
    CHECK(config::read_tasks(workflow(), json::View::of(text), problems).size() == 1);
    auto found = problems.take().shown;
    REQUIRE(found.size() == 3);
    CHECK(config::with_excerpt(found[0]) ==
          "<inline>:2:12: error: kind \"Wrok\" is not a step of the config; did you mean \"Work\"?\n"
          "    2 |   {\"kind\": \"Wrok\", \"value\": 1},\n"
          "      |            ^~~~~~");
    CHECK(config::with_excerpt(found[1]) ==
          "<inline>:3:38: error: the value does not fit the schema of \"Work\": at /file: expected string, "
          "found an integer (schema: /properties/file/type)\n"
          "    3 |   {\"kind\": \"Work\", \"value\": {\"file\": 5}},\n"
          "      |                                      ^");
    CHECK(config::to_string(found[2]) ==
          "<inline>:5:19: error: unknown member \"valeu\"; a task has \"kind\" and \"value\"");
}

TEST_CASE("initial tasks may be of any step, and JSONC") {
    const config::Step& step = workflow().steps[0];
    auto tasks = config::parse_tasks(workflow(), step,
                                     "[ // first\n {\"kind\": \"Start\", \"value\": {\"a\": 1.0,},}, ]",
                                     "--initial-state");
    REQUIRE(tasks.has_value());
    REQUIRE(tasks->size() == 1);
    CHECK(tasks->front().step == config::StepId{0});
    CHECK(tasks->front().value == "{\"a\":1.0}");
    auto unknown =
        config::parse_tasks(workflow(), step, R"([{"kind": "Wrok", "value": 1}])", "--initial-state");
    REQUIRE(unknown.has_error());
    CHECK(unknown.error().message ==
          "--initial-state: element 1: kind \"Wrok\" is not a step of the config; did you mean \"Work\"?");
}
