// What programs tell of models and requests.
#include "replay.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace agent_driver;

std::string gemini_end(std::string_view models) {
    return R"({"id":3,"result":{"stopReason":"end_turn","_meta":{"quota":{"token_count":{"input_tokens":30,)"
           R"("output_tokens":3},"model_usage":[)" +
           std::string(models) + "]}}}}";
}

std::string model_use(std::string_view model, int input) {
    return R"({"model":")" + std::string(model) + R"(","token_count":{"input_tokens":)" +
           std::to_string(input) + R"(,"output_tokens":1}})";
}

std::vector<std::string> gemini(std::string_view models) {
    auto told = replay::played_lines(
        AgentKind::gemini,
        {R"({"id":1,"result":{"protocolVersion":1}})",
         R"({"id":2,"result":{"sessionId":"s","models":{"currentModelId":"auto"}}})", gemini_end(models)});
    return {told.begin() + 3, told.end()};  // after the session and the prompt
}

}  // namespace

TEST_CASE("gemini chooses a model by itself, and tells which one it has used") {
    const std::string usage = "usage 30 0 3 -", answer = "answer ";
    CHECK(gemini("") == std::vector<std::string>{usage, answer});
    CHECK(gemini(model_use("pro", 29)) == std::vector<std::string>{"session s pro", usage, answer});
    CHECK(gemini(model_use("small", 9) + "," + model_use("pro", 20)).front() == "session s pro");
    CHECK(gemini(model_use("auto", 29)) == std::vector<std::string>{usage, answer});
}

TEST_CASE("claude tells when another model has taken over") {
    CHECK(
        replay::played_lines(
            AgentKind::claude,
            {R"({"type":"system","subtype":"init","session_id":"s","model":"big"})",
             R"({"type":"system","subtype":"model_fallback","fallback_model":"small","session_id":"s"})"}) ==
        std::vector<std::string>{"session s big", "session s small"});
}

TEST_CASE("codex: each request is a turn") {
    Conversation conversation(replay::settings(AgentKind::codex), replay::prompt());
    conversation.launch({});
    conversation.stdout_line(R"({"id":1,"result":{}})", {});
    conversation.stdout_line(R"({"id":2,"result":{"thread":{"id":"t"},"model":"m"}})", {});
    for (int request : {1, 2}) {
        auto actions = conversation.stdout_line(
            R"({"method":"thread/tokenUsage/updated","params":{"threadId":"t","tokenUsage":{"total":{"inputTokens":5}}}})",
            {});
        REQUIRE(actions.size() == 1);
        CHECK(std::get<Usage>(actions[0]).turns == request);
    }
}
