#include "edge_shell/outcomes.hpp"

#include <catch2/catch.hpp>

using edge::Outcome;
using edge_shell::to_answer;
using edge_shell::to_outcome;
using pool_protocol::Answer;

namespace {

constexpr std::size_t enough = 10'000;

}  // namespace

TEST_CASE("each answer is an outcome, and the same answer again") {
    pool_protocol::AgentFailed failed{"claude-1", "it failed", 3};
    failed.failure = "too_large";
    failed.is_permanent = true;
    const std::pair<Answer, Outcome> all[] = {
        {pool_protocol::Processed{"[\"\u00e9\"]", "claude-1"}, Outcome::processed},
        {pool_protocol::TimedOut{"claude-1", "no credit"}, Outcome::timeout},
        {pool_protocol::Stopped{}, Outcome::stopped},
        {pool_protocol::Invalid{"too large"}, Outcome::rejected},
        {failed, Outcome::failed},
        {pool_protocol::AgentsLost{"3 agents died"}, Outcome::lost}};
    for (const auto& [answer, outcome] : all) {
        auto made = to_outcome(answer, enough);
        CHECK(made.outcome == outcome);
        CHECK(to_answer(made.outcome, made.text) == answer);
    }
}

TEST_CASE("an answer that is too large for the engine is a refusal that names both sizes") {
    auto made = to_outcome(pool_protocol::Processed{std::string(500, 'x'), "a"}, 100);
    CHECK(made.outcome == Outcome::rejected);
    auto answer = to_answer(made.outcome, made.text);
    const auto* refusal = std::get_if<pool_protocol::Invalid>(&answer);
    REQUIRE(refusal != nullptr);
    CHECK(refusal->message.find("at most 100") != std::string::npos);
}

TEST_CASE("an outcome that has no text of an agent has one of its own") {
    CHECK(std::holds_alternative<pool_protocol::AgentsLost>(to_answer(Outcome::agent_lost, "")));
    auto refused = to_answer(Outcome::invalid, "the server takes at most 1000 bytes");
    CHECK(refused == Answer(pool_protocol::Invalid{"the server takes at most 1000 bytes"}));
    CHECK(std::holds_alternative<pool_protocol::Invalid>(to_answer(Outcome::processed, "oops")));
}
