// Going on with a conversation that was interrupted.
#include "base/text.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace agent_driver;
using Lines = std::vector<std::string>;

Prompt resuming() {
    Prompt prompt = replay::prompt();
    prompt.resume = "s-1";
    return prompt;
}

// A conversation that has begun, and all that is told and sent.
struct Resumed {
    explicit Resumed(AgentKind kind) : conversation(replay::settings(kind), resuming()) {
        launch = conversation.launch({});
        sent = launch.lines;
    }

    Lines read(std::string_view line) {
        Actions actions = conversation.stdout_line(line, {});
        for (const Action& action : actions)
            if (const auto* send = std::get_if<Send>(&action)) sent.push_back(send->line);
        return replay::described(actions);
    }
    bool has_sent(std::string_view part) const { return sent.back().find(part) != std::string::npos; }

    Conversation conversation;
    Launch launch;
    Lines sent;
};

constexpr std::string_view go_on = "This task was interrupted";
constexpr std::string_view value = "The value of this task";

std::string used(std::string_view turn, int input) {
    return base::concat(R"({"method":"thread/tokenUsage/updated","params":{"threadId":"s-1","turnId":")",
                        turn, R"(","tokenUsage":{"total":{"inputTokens":)", input,
                        R"(,"cachedInputTokens":0,"outputTokens":2}}}})");
}

}  // namespace

TEST_CASE("claude is started with the conversation, and asked to go on") {
    Resumed claude(AgentKind::claude);
    const Lines wanted{"--resume", "s-1"};
    CHECK(std::ranges::search(claude.launch.arguments, wanted).begin() != claude.launch.arguments.end());
    CHECK(claude.has_sent(go_on));
    CHECK_FALSE(claude.has_sent(value));
}

TEST_CASE("what claude had used before it resumed does not count, whether it tells that again or not") {
    Prompt prompt = resuming();
    prompt.used_before = {3000, 800, 50, 0.25};
    auto usage = [&](std::string_view input, std::string_view usd) {
        Conversation claude(replay::settings(AgentKind::claude), prompt);
        claude.launch({});
        claude.stdout_line(R"({"type":"assistant","message":{"id":"m","usage":{"input_tokens":1000}}})", {});
        return replay::described(claude.stdout_line(
            base::concat(R"({"type":"result","subtype":"success","result":"[]","total_cost_usd":)", usd,
                         R"(,"modelUsage":{"m":{"inputTokens":)", input, R"(,"outputTokens":60}}})"),
            {}));
    };
    CHECK(usage("4000", "0.75").front() == "usage 1000 0 10 0.5");
    CHECK(usage("1000", "0.5").front() == "usage 1000 0 60 0.5");
}

TEST_CASE("codex resumes the thread, and what it had used before does not count") {
    Resumed codex(AgentKind::codex);
    CHECK(codex.has_sent(R"("method":"thread/resume")"));
    CHECK(codex.has_sent(R"("threadId":"s-1")"));
    codex.read(R"({"id":1,"result":{}})");
    CHECK(codex.read(R"({"id":2,"result":{"thread":{"id":"s-1"},"model":"m"}})") ==
          Lines{"session s-1 m", "send"});
    CHECK(codex.has_sent(go_on));
    CHECK(codex.read(used("turn-0", 100)).empty());
    codex.read(R"({"id":3,"result":{"turn":{"id":"turn-1"}}})");
    CHECK(codex.read(used("turn-1", 130)) == Lines{"usage 30 0 0 -"});
}

TEST_CASE("codex begins a new thread if the earlier one is not there any more") {
    Resumed codex(AgentKind::codex);
    CHECK(codex.read(R"({"id":2,"error":{"code":-32600,"message":"no rollout found"}})") == Lines{"send"});
    CHECK(codex.has_sent(R"("method":"thread/start")"));
    CHECK(codex.read(R"({"id":3,"result":{"thread":{"id":"new"},"model":"m"}})") ==
          Lines{"session new m", "send"});
    CHECK(codex.has_sent(value));
    CHECK(codex.read(R"({"id":4,"error":{"code":-1,"message":"x"}})") == Lines{"failure error -: x"});
}

TEST_CASE("over ACP the session is loaded, if the program can, and what is told of it is left out") {
    Resumed acp(AgentKind::acp);
    acp.read(R"({"id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}})");
    CHECK(acp.has_sent(R"("method":"session/load")"));
    CHECK(acp.has_sent(R"("sessionId":"s-1")"));
    const std::string earlier =
        R"({"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"text":"[]"}}}})";
    CHECK(acp.read(earlier).empty());
    CHECK(acp.read(R"({"id":2,"result":null})") == Lines{"session s-1 ", "send"});
    CHECK(acp.has_sent(go_on));
    CHECK(acp.read(R"({"id":3,"result":{"stopReason":"end_turn"}})") == Lines{"answer "});
}

TEST_CASE("over ACP a session begins anew if the program cannot load it") {
    Resumed acp(AgentKind::acp);
    acp.read(R"({"id":1,"result":{"protocolVersion":1}})");
    CHECK(acp.has_sent(R"("method":"session/new")"));
    Resumed other(AgentKind::acp);
    other.read(R"({"id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}})");
    CHECK(other.read(R"({"id":2,"error":{"code":-32602,"message":"no such session"}})") == Lines{"send"});
    CHECK(other.has_sent(R"("method":"session/new")"));
    CHECK(other.read(R"({"id":3,"result":{"sessionId":"new"}})") == Lines{"session new ", "send"});
    CHECK(other.has_sent(value));
}
