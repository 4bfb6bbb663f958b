#include "load_helper.hpp"

namespace {

using namespace config_test;

// The problems of a workflow with these options and these steps, named A, B, … in that order.
std::string of_options(const std::string& global, const std::vector<std::string>& steps) {
    std::string text = "{\"options\": {" + global + "},\n\"steps\": [";
    for (std::size_t i = 0; i < steps.size(); ++i) {
        text += std::string(i == 0 ? "" : ",\n") + "{\"name\": \"" + static_cast<char>('A' + i) +
                "\", \"options\": {" + steps[i] + "}, " + command + "}";
    }
    return problems(load(text + "]}"));
}

constexpr auto one_second = R"("retry_backoff": {"initial": 1})";

std::string and_backoff(const std::string& options) {
    return options + ", " + one_second;
}

}  // namespace

TEST_CASE("retry_backoff needs its initial wait only") {
    auto config = good(R"({"options": {"max_retries": 1, "retry_backoff": {"initial": 0.5}},
        "steps": [{"name": "A", "action": {"kind": "Pool"}}]})");
    const auto& backoff = *config.steps[0].options.retry_backoff;
    CHECK(backoff.initial == std::chrono::milliseconds(500));
    CHECK(backoff.factor == 2);
    CHECK_FALSE(backoff.max);
    CHECK(backoff.jitter == 0);
}

TEST_CASE("a step's retry_backoff replaces the workflow's as a whole") {
    auto config =
        good(R"({"options": {"max_retries": 1, "retry_backoff": {"initial": 1, "max": 60, "jitter": 1}},
        "steps": [{"name": "A", "action": {"kind": "Pool"}},
                  {"name": "B", "action": {"kind": "Pool"},
                   "options": {"retry_backoff": {"initial": 90, "factor": 1.5, "jitter": 0.25}}}]})");
    const auto& global = *config.steps[0].options.retry_backoff;
    CHECK(global.max == std::chrono::seconds(60));
    CHECK(global.jitter == 1);
    const auto& own = *config.steps[1].options.retry_backoff;
    CHECK(own.initial == std::chrono::seconds(90));
    CHECK(own.factor == 1.5);
    CHECK_FALSE(own.max);
    CHECK(own.jitter == 0.25);
}

TEST_CASE("mistakes in retry_backoff are named") {
    // The object starts at 1:31.
    auto with = [](const std::string& backoff) {
        return problems(load("{\"options\": {\"retry_backoff\": " + backoff +
                             ", \"max_retries\": 1}, \"steps\": [{\"name\": \"A\", " + command + "}]}"));
    };
    auto span = [](const std::string& place, const std::string& name, const std::string& text) {
        return "w.jsonc:1:" + place + ": error: \"" + name +
               "\" must be a number of seconds from 0.001 to 1000000000, not " + text + "\n";
    };
    CHECK(with("{}") == "w.jsonc:1:31: error: \"initial\" is missing in \"retry_backoff\"\n");
    CHECK(with("5") == "w.jsonc:1:31: error: \"retry_backoff\" must be an object, not a number\n");
    CHECK(with(R"({"initial": 0})") == span("43", "initial", "0"));
    CHECK(with(R"({"initial": -1, "max": 2})") == span("43", "initial", "-1"));
    CHECK(with(R"({"initial": 1, "max": 1e10})") == span("53", "max", "1e10"));
    CHECK(with(R"({"initial": "1"})") == "w.jsonc:1:43: error: \"initial\" must be a number, not a string\n");
    CHECK(with(R"({"initial": 2, "max": 1.5})") ==
          "w.jsonc:1:53: error: \"max\" must be at least as long as \"initial\", 2, not 1.5\n");
    CHECK(with(R"({"initial": 1, "factor": 0.9})") ==
          "w.jsonc:1:56: error: \"factor\" must be a number from 1 to 1000000, not 0.9\n");
    CHECK(with(R"({"initial": 1, "factor": 1e400})") ==
          "w.jsonc:1:56: error: \"factor\" must be a number from 1 to 1000000, not 1e400\n");
    CHECK(with(R"({"initial": 1, "jitter": 1.1})") ==
          "w.jsonc:1:56: error: \"jitter\" must be a number from 0 to 1, not 1.1\n");
    CHECK(with(R"({"initial": 1, "jiter": 1})") ==
          "w.jsonc:1:46: error: unknown field \"jiter\" in \"retry_backoff\"; did you mean \"jitter\"?\n");
}

TEST_CASE("a step's retry_backoff without retries is a mistake that says what to add") {
    std::string at_the_step =
        "w.jsonc:2:54: error: \"retry_backoff\" has no effect without \"max_retries\": add a \"max_retries\" "
        "of 1 or "
        "more, here or in the options at the top, or remove it\n";
    CHECK(of_options("", {one_second}) == at_the_step);
    CHECK_THAT(of_options("\"max_retries\": 3", {and_backoff("\"max_retries\": 0")}),
               Catch::StartsWith("w.jsonc:2:72: error: \"retry_backoff\" has no effect"));
    CHECK_THAT(of_options("", {and_backoff("\"max_retries\": -0")}), Catch::Contains("has no effect"));
    // Other steps' retries are no use to it.
    CHECK(of_options("", {one_second, "\"max_retries\": 1"}) == at_the_step);
}

TEST_CASE("a step's retry_backoff may rely on the workflow's max_retries, or on its own") {
    CHECK(of_options("\"max_retries\": 1", {one_second}).empty());
    CHECK(of_options("\"max_retries\": 0", {and_backoff("\"max_retries\": 1")}).empty());
}

TEST_CASE("the workflow's retry_backoff needs a step that is tried again") {
    std::string at_the_top =
        "w.jsonc:1:31: error: \"retry_backoff\" has no effect without \"max_retries\": add a \"max_retries\" "
        "of 1 or "
        "more, here or in a step's options, or remove it\n";
    CHECK(of_options(one_second, {"", ""}) == at_the_top);
    CHECK(of_options(std::string(one_second) + ", \"max_retries\": 3", {"\"max_retries\": 0"}) == at_the_top);
    CHECK(problems(load(std::string("{\"options\": {") + one_second + "}, \"steps\": [{\"name\": \"A\", " +
                        command + "}]}")) == at_the_top);
    CHECK(of_options(one_second, {"", "\"max_retries\": 1"}).empty());
    CHECK(of_options(std::string(one_second) + ", \"max_retries\": 3", {"\"max_retries\": 0", ""}).empty());
    CHECK(problems(load(std::string("{\"options\": {\"max_retries\": 1, ") + one_second +
                        "}, \"steps\": [{\"name\": \"A\", " + command + "}]}"))
              .empty());
}

TEST_CASE("a mistake in max_retries is not told as a retry_backoff without effect") {
    for (std::string wrong : {"-1", "1.5", "\"3\"", "null"}) {
        CHECK_THAT(of_options("", {and_backoff("\"max_retries\": " + wrong)}), !Catch::Contains("no effect"));
        CHECK_THAT(of_options(and_backoff("\"max_retries\": " + wrong), {""}), !Catch::Contains("no effect"));
    }
    CHECK(problems(load(std::string("{\"options\": {") + one_second + "}, \"steps\": []}")) ==
          "w.jsonc:1:57: error: \"steps\" must have at least one step\n");
}
