#include "workflow/hooks.hpp"

#include "run_helper.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;
using Kind = Failure::Kind;
using Catch::Matchers::Contains;

namespace {

struct Fixture {
    Fixture() : config(workflow_of({command_step("A"), command_step("B")})) { config.steps[0].next = {{1}}; }

    AttemptResult read(const ActionResult& before, std::string_view output) const {
        return read_post_hook(config, config.steps[0], before, output);
    }

    config::WorkflowConfig config;
};

const ActionResult success = ActionSuccess{"[]", {}};

}  // namespace

TEST_CASE("a pre hook's value keeps its text") {
    CHECK(std::get<std::string>(read_pre_hook("{ \"n\": 1.0,\n \"s\": \"\\u00e9\" }\n")) ==
          R"({"n":1.0,"s":"\u00e9"})");
    CHECK(std::get<Failure>(read_pre_hook("")).hook == "pre");
    CHECK(std::get<Failure>(read_pre_hook("1 2")).kind == Kind::hook_failed);
}

TEST_CASE("the post hook is told how it went") {
    CHECK(
        post_hook_input("1.0", ActionSuccess{"[{\"kind\":\"B\",\"value\":1e400}]\n", {}}) ==
        R"({"kind":"Success","input":1.0,"output":[{"kind":"B","value":1e400}],"next":[{"kind":"B","value":1e400}]})");
    CHECK(post_hook_input("{}", failure(Kind::timeout)) == R"({"kind":"Timeout","input":{}})");
    CHECK(post_hook_input("{}", failure(Kind::command_failed)) ==
          R"({"kind":"Error","input":{},"error":"it failed"})");
    CHECK(post_hook_input("{}", failure(Kind::invalid_response)) ==
          R"({"kind":"Error","input":{},"error":"it failed"})");
    CHECK(post_hook_input("{}", hook_failure("pre", "no \"git\"")) ==
          R"({"kind":"PreHookError","input":{},"error":"no \"git\""})");
}

TEST_CASE_METHOD(Fixture, "the post hook's next counts, and keeps its text") {
    auto result = read(success, R"({"kind":"Success","next":[{"kind":"B","value":{"n": 1.0}}]})");
    auto& next = std::get<std::vector<config::NewTask>>(result);
    REQUIRE(next.size() == 1);
    CHECK(next[0].step == config::StepId{1});
    CHECK(next[0].value == R"({"n":1.0})");
}

TEST_CASE_METHOD(Fixture, "a post hook may recover from a failure") {
    auto kind = GENERATE(Kind::timeout, Kind::command_failed, Kind::invalid_response);
    auto result = read(failure(kind), R"({"kind":"Success","next":[]})");
    CHECK(std::get<std::vector<config::NewTask>>(result).empty());
}

TEST_CASE_METHOD(Fixture, "a post hook may fail what succeeded") {
    auto result = std::get<Failure>(read(success, R"({"kind":"Error","input":1,"error":"too ugly"})"));
    CHECK(result.kind == Kind::hook_failed);
    CHECK(result.hook == "post");
    CHECK_THAT(result.message, Contains("too ugly"));
    CHECK(std::get<Failure>(read(success, R"({"kind":"Timeout","input":1})")).kind == Kind::timeout);
}

TEST_CASE_METHOD(Fixture, "a failure that is passed through stays what it was") {
    Failure before = failure(Kind::command_failed);
    before.exit_code = 3;
    auto after = std::get<Failure>(read(before, post_hook_input("{}", before)));
    CHECK(after.kind == Kind::command_failed);
    CHECK(after.exit_code == 3);
    CHECK(after.message == "it failed");
    CHECK(std::get<Failure>(read(failure(Kind::timeout), R"({"kind":"Timeout"})")).message == "it failed");
    auto pre = std::get<Failure>(read(hook_failure("pre", "x"), R"({"kind":"PreHookError","error":"y"})"));
    CHECK(pre.hook == "pre");
    CHECK(pre.message == "y");
}

TEST_CASE_METHOD(Fixture, "a post hook's next is held against the config") {
    auto output = GENERATE(R"({"kind":"Success","next":[{"kind":"A","value":1}]})",
                           R"({"kind":"Success","next":[{"kind":"Nowhere","value":1}]})",
                           R"({"kind":"Success","next":{}})");
    CHECK(std::get<Failure>(read(success, output)).kind == Kind::invalid_response);
}

TEST_CASE_METHOD(Fixture, "a post hook that prints no result fails") {
    auto output = GENERATE("", "done", "[]", "{}", R"({"kind":7})", R"({"kind":"Fine"})",
                           R"({"kind":"Success"})", R"({"kind":"Error"})", R"({"kind":"Error","error":1})");
    auto result = std::get<Failure>(read(success, output));
    CHECK(result.kind == Kind::hook_failed);
    CHECK(result.hook == "post");
}
