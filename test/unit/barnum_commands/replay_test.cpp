#include "commands/run/replay_options.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using barnum::ReplayOptions;
using Words = std::vector<std::string>;

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
