#include "edge_shell/outcomes.hpp"

#include "base/text.hpp"

#include <utility>
#include <variant>

namespace edge_shell {

using edge::Outcome;
using pool_protocol::Answer;

namespace {

struct OutcomeOf {
    Outcome operator()(const pool_protocol::Processed&) const { return Outcome::processed; }
    Outcome operator()(const pool_protocol::TimedOut&) const { return Outcome::timeout; }
    Outcome operator()(const pool_protocol::Stopped&) const { return Outcome::stopped; }
    Outcome operator()(const pool_protocol::Invalid&) const { return Outcome::rejected; }
    Outcome operator()(const pool_protocol::AgentFailed&) const { return Outcome::failed; }
    Outcome operator()(const pool_protocol::AgentsLost&) const { return Outcome::lost; }
};

}  // namespace

AnswerText to_outcome(Answer answer, std::size_t max_bytes) {
    AnswerText made{std::visit(OutcomeOf(), answer), to_json(answer)};
    if (made.text.size() <= max_bytes) return made;
    pool_protocol::Invalid refusal{
        base::concat("the response is too large for the engine: with what the agent reports it has ",
                     made.text.size(), " bytes, and at most ", max_bytes, " are allowed")};
    return {Outcome::rejected, to_json(Answer(std::move(refusal)))};
}

Answer to_answer(Outcome outcome, std::string_view text) {
    if (outcome == Outcome::stopped) return pool_protocol::Stopped{};
    if (outcome == Outcome::invalid) return pool_protocol::Invalid{std::string(text)};
    if (outcome == Outcome::agent_lost)
        return pool_protocol::AgentsLost{
            "the host that had this task has died or was cut off, and nobody knows how far its agent came"};
    auto parsed = pool_protocol::parse_answer(text);
    if (parsed.has_value()) return std::move(parsed->answer);
    return pool_protocol::Invalid{
        base::concat("the answer that the engine has stored cannot be read: ", parsed.error().message)};
}

}  // namespace edge_shell
