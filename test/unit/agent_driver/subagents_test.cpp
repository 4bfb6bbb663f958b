// Agents that a model starts beside itself: what they say and use, as the real programs print it.
#include "base/text.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

namespace {

using agent_driver::AgentKind;
using Lines = std::vector<std::string>;

Lines codex(Lines more) {
    Lines lines{R"({"id":1,"result":{}})", R"({"id":2,"result":{"thread":{"id":"main"},"model":"m"}})",
                R"({"id":3,"result":{"turn":{"id":"turn-1"}}})"};
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
}

std::string words(std::string_view thread, std::string_view turn, std::string_view text) {
    return base::concat(R"({"method":"item/completed","params":{"item":{"type":"agentMessage","text":")",
                        text, R"("},"threadId":")", thread, R"(","turnId":")", turn, "\"}}");
}

std::string turn_end(std::string_view thread, std::string_view turn, std::string_view status = "completed") {
    return base::concat(R"({"method":"turn/completed","params":{"threadId":")", thread, R"(","turn":{"id":")",
                        turn, R"(","status":")", status, "\"}}}");
}

std::string used_by(std::string_view thread, int input) {
    return base::concat(R"({"method":"thread/tokenUsage/updated","params":{"threadId":")", thread,
                        R"(","tokenUsage":{"total":{"inputTokens":)", input,
                        R"(,"cachedInputTokens":1,"outputTokens":2}}}})");
}

Lines after_beginning(const Lines& lines) {
    auto told = replay::played_lines(AgentKind::codex, codex(lines));
    return {told.begin() + 2, told.end()};
}

}  // namespace

TEST_CASE("codex: only the task's own thread answers") {
    CHECK(after_beginning({words("part", "turn-2", "[]"), turn_end("part", "turn-2")}).empty());
    CHECK(after_beginning({turn_end("part", "turn-2", "failed"), turn_end("part", "turn-2", "interrupted")})
              .empty());
    CHECK(after_beginning({words("main", "turn-1", "Mine: [{}]"), words("part", "turn-2", "[]"),
                           turn_end("part", "turn-2"), turn_end("main", "turn-1")}) == Lines{"answer [{}]"});
}

TEST_CASE("codex: only the turn answers that the driver has begun") {
    CHECK(after_beginning({words("main", "turn-9", "[]"), turn_end("main", "turn-9")}).empty());
}

TEST_CASE("codex: another thread's failed requests are not the task's") {
    std::string retry =
        R"({"method":"error","params":{"threadId":"part","willRetry":true,"error":{"message":"x","codexErrorInfo":"unauthorized"}}})";
    CHECK(after_beginning({retry}).empty());
}

TEST_CASE("codex: the usage is that of all threads") {
    CHECK(
        after_beginning({used_by("main", 10), used_by("part", 5), used_by("main", 30), used_by("part", 7)}) ==
        Lines{"usage 10 1 2 -", "usage 15 2 4 -", "usage 35 2 4 -", "usage 37 2 4 -"});
}

TEST_CASE("claude: a failed request of another agent does not say why the task failed") {
    Lines told = replay::played_lines(
        AgentKind::claude,
        {R"({"type":"assistant","parent_tool_use_id":"toolu_1","message":{"id":"x"},"error":"rate_limit"})",
         R"({"type":"result","subtype":"success","is_error":true,"result":"x","api_error_status":500})"});
    CHECK(told.back() == "failure overloaded -: x");
}
