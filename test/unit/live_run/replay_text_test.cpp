#include "live_run/replay_text.hpp"

#include "config/load.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

using Response = std::vector<config::NewTask>;
using Recorded = std::optional<workflow::AttemptResult>;

namespace {

config::WorkflowConfig two_steps() {
    auto loaded = config::load_text(
        R"({"steps": [{"name": "A", "action": {"kind": "Command", "script": "x"}, "next": ["A \"b\""]},
                      {"name": "A \"b\"", "action": {"kind": "Command", "script": "x"}}]})",
        "w", "/");
    REQUIRE(loaded.config.has_value());
    return *loaded.config;
}

workflow::Failure failure() {
    workflow::Failure failure;
    failure.message = "the command exited with code 3\n\x1b[2Jno disk";
    failure.exit_code = 3;
    return failure;
}

std::string compared(const Recorded& before, const workflow::AttemptResult& now) {
    return live_run::comparison(two_steps(), before, now, false);
}

}  // namespace

TEST_CASE("a response is printed as an array, whose values are as they were") {
    auto config = two_steps();
    CHECK(live_run::response_text(config, {}) == "[]\n");
    CHECK(live_run::response_text(config, {{{0}, "1.0"}, {{1}, R"({"b":1e2,"a":"\u0041"})"}}) ==
          R"([
  { "kind": "A", "value": 1.0 },
  {
    "kind": "A \"b\"",
    "value": { "b": 1e2, "a": "\u0041" }
  }
]
)");
}

TEST_CASE("a response is the same as the recorded one, or the difference is told") {
    Response one{{{1}, "1"}};
    CHECK(compared(one, one) == "the response is the same as the recorded one\n");
    CHECK(compared(Response(), Response()) == "the response is the same as the recorded one\n");
    CHECK(compared(one, Response{{{1}, "1.0"}}) ==
          "the response differs from the recorded one (-):\n@@ -1,3 +1,3 @@\n [\n"
          "-  { \"kind\": \"A \\\"b\\\"\", \"value\": 1 }\n"
          "+  { \"kind\": \"A \\\"b\\\"\", \"value\": 1.0 }\n ]\n");
}

TEST_CASE("what is recorded is told if one of the two has failed, or none is recorded") {
    std::string failed =
        "recorded: failed, CommandFailed, exit code 3: the command exited with code 3\n    ?[2Jno disk\n";
    CHECK(compared(failure(), Response()) == failed);
    CHECK(compared(failure(), failure()) == failed);
    CHECK(compared(Response{{{1}, "1"}}, failure()) == "recorded: done, 1 next\n");
    CHECK(compared(std::nullopt, Response()) == "recorded: nothing yet, the attempt has not ended\n");
}
