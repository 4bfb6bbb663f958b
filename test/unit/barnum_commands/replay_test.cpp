#include "commands/run/replay_options.hpp"
#include "commands/run/replay_text.hpp"
#include "config/load.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

using barnum::ReplayOptions;
using Words = std::vector<std::string>;
using Response = std::vector<config::NewTask>;
using Recorded = std::optional<workflow::AttemptResult>;

namespace {

// What a run may have been given.
const Words recorded{"--name=nightly",      "--pool=p",     "--no-embedded-pool", "--pool-wait-secs=3",
                     "--wake=./wake.sh",    "--fail-fast",  "--agent=claude=3",   "--agents=2",
                     "--agent-exec=./a.sh", "--no-agents",  "--jobs=4",           "--transcripts=/t",
                     "--budget-usd=3",      "--root=/pools"};

const Words always{"--pool-wait-secs=3", "--fail-fast", "--root=/pools"};

Words operator+(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

void check_arguments(const ReplayOptions& options, const Words& expected) {
    Words words = barnum::run_arguments(recorded, options);
    CHECK_THAT(words, Catch::UnorderedEquals(expected));
}

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
    return barnum::comparison(two_steps(), before, now, false);
}

}  // namespace

TEST_CASE("a replay has the pool and the agents of its run, and no other option") {
    check_arguments({},
                    always + Words{"--pool=p", "--no-embedded-pool", "--wake=./wake.sh", "--agent=claude=3",
                                   "--agents=2", "--agent-exec=./a.sh", "--no-agents", "--transcripts=none"});
}

TEST_CASE("agents of a replay's own are the only ones that could take the task") {
    ReplayOptions options;
    options.agents = {"codex", "claude,model=x"};
    check_arguments(options, always + Words{"--agent=codex", "--agent=claude,model=x", "--no-agents",
                                            "--transcripts=none"});
    options = {};
    options.agent_exec = "./b.sh";
    options.pool = "q";
    options.transcripts = "/here";
    check_arguments(options, always + Words{"--pool=q", "--agent-exec=./b.sh", "--agents=1", "--no-agents",
                                            "--transcripts=/here"});
}

TEST_CASE("another pool is used with the agents of the run, and without them if that is said") {
    ReplayOptions options;
    options.pool = "q";
    check_arguments(options, always + Words{"--pool=q", "--agent=claude=3", "--agents=2",
                                            "--agent-exec=./a.sh", "--no-agents", "--transcripts=none"});
    options.no_agents = true;
    check_arguments(options, always + Words{"--pool=q", "--no-agents", "--transcripts=none"});
    options.pool.reset();
    check_arguments(options, always + Words{"--pool=p", "--no-embedded-pool", "--wake=./wake.sh",
                                            "--no-agents", "--transcripts=none"});
}

TEST_CASE("a response is printed as an array, whose values are as they were") {
    auto config = two_steps();
    CHECK(barnum::response_text(config, {}) == "[]\n");
    CHECK(barnum::response_text(config, {{{0}, "1.0"}, {{1}, R"({"b":1e2,"a":"\u0041"})"}}) ==
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
