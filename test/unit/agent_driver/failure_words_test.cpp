// What the messages of failures say, and what they are made of where they say nothing.
#include "agent_driver/failure_words.hpp"

#include "replay.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace agent_driver;

const std::vector<std::string> begin_of_codex{R"({"id":1,"result":{}})",
                                              R"({"id":2,"result":{"thread":{"id":"t"},"model":"m"}})"};

std::string acp_failure(AgentKind kind, std::string_view error) {
    std::vector<std::string> lines{R"({"id":1,"result":{"protocolVersion":1}})",
                                   R"({"id":2,"result":{"sessionId":"s"}})",
                                   R"({"id":3,"error":)" + std::string(error) + "}"};
    return replay::played_lines(kind, lines).back();
}

long seconds(std::string_view message) {
    auto wait = told_wait(message);
    return wait ? static_cast<long>(wait->count()) : -1;
}

}  // namespace

TEST_CASE("a message is plain text") {
    CHECK(plain_text("\x1b[31mred\x1b[0m and \x1b]0;title\x07plain") == "red and plain");
    CHECK(plain_text("\n  two\r\nlines \x01\n\n") == "two\nlines");
    CHECK(plain_text("a\tb") == "a\tb");
    CHECK(plain_text("\x1b[2m\x1b[0m \n").empty());
}

TEST_CASE("some messages tell nothing") {
    for (std::string_view message : {"", "unknown", "Unknown error", "Internal error", "[object Object]"})
        CHECK(tells_nothing(message));
    for (std::string_view message : {"Internal error: no space left", "unknown model"})
        CHECK_FALSE(tells_nothing(message));
}

TEST_CASE("how long nobody is to try again") {
    CHECK(seconds("Quota exceeded.\nSuggested retry after 3600s.") == 3600);
    CHECK(seconds("Please retry in 23h4m5.2s.") == 23 * 3600 + 4 * 60 + 6);
    CHECK(seconds("Rate limit reached. Please try again in 20s.") == 20);
    CHECK(seconds("Please try again in 1 h.") == 3600);
    CHECK(seconds("Please try again in 250ms.") == 1);
    CHECK(seconds("Please try again later.") == -1);
    CHECK(seconds("try again in a moment") == -1);
    CHECK(seconds("retry in 99999999999999999999s") == -1);
    CHECK(seconds("retry in -5s") == -1);
    CHECK(seconds("retry in ") == -1);
}

TEST_CASE("an internal error of a program is told with its details") {
    auto told = [](std::string_view data) {
        return acp_failure(AgentKind::acp,
                           R"({"code":-32603,"message":"Internal error","data":)" + std::string(data) + "}");
    };
    CHECK(told(R"({"details":"the tool is gone"})") == "failure error -: the tool is gone");
    CHECK(told(R"("the tool is gone")") == "failure error -: the tool is gone");
    CHECK(told(R"({"details":"unknown","message":"no tool"})") == "failure error -: no tool");
    CHECK(told(R"({"errorKind":"rate_limit"})") == "failure usage_limit -: rate_limit");
    CHECK(told("null") == "failure error -: acp failed and said \"Internal error\"");
}

TEST_CASE("what a program has printed tells more than an empty word") {
    Conversation conversation(replay::settings(AgentKind::gemini), replay::prompt());
    conversation.launch({});
    conversation.stderr_line("\x1b[31mdisk full\x1b[0m", {});
    conversation.stdout_line(R"({"id":1,"result":{"protocolVersion":1}})", {});
    conversation.stdout_line(R"({"id":2,"result":{"sessionId":"s"}})", {});
    auto actions = conversation.stdout_line(R"({"id":3,"error":{"code":500,"message":"unknown"}})", {});
    CHECK(replay::described(actions).back() ==
          "failure overloaded -: gemini failed and said \"unknown\"; it had printed: disk full");
}

TEST_CASE("a message for a terminal is told as plain text") {
    CHECK(acp_failure(AgentKind::gemini, R"({"code":401,"message":"\u001b[1mno key\u001b[0m\r\n"})") ==
          "failure not_ready -: no key");
}

TEST_CASE("gemini tells in words how long a limit lasts") {
    CHECK(acp_failure(AgentKind::gemini,
                      R"({"code":429,"message":"No quota.\nSuggested retry after 3600s."})") ==
          "failure usage_limit -+3600: No quota.\nSuggested retry after 3600s.");
}

TEST_CASE("claude: a retry in an hour is none") {
    auto retry = [](std::string_view delay) {
        return replay::played_lines(AgentKind::claude,
                                    {R"({"type":"system","subtype":"api_retry","retry_delay_ms":)" +
                                     std::string(delay) + R"(,"error_status":429,"error":"rate_limit"})"});
    };
    CHECK(retry("50000").empty());
    CHECK(
        retry("3600000") ==
        std::vector<std::string>{"failure usage_limit -+3600: a request to the model failed with status 429: "
                                 "rate_limit"});
}

TEST_CASE("codex: a retry in an hour is none") {
    const std::string error =
        R"({"method":"error","params":{"threadId":"t","willRetry":true,"error":{"message":"Reconnecting... 1/5",)"
        R"("codexErrorInfo":{"responseStreamDisconnected":{"httpStatusCode":429}},"additionalDetails":"429"}}})";
    auto log = [](std::string_view wait) {
        return "2026-11-26T16:20:19Z \x1b[33m WARN\x1b[0m "
               "\x1b[2mcodex_core::responses_retry\x1b[0m\x1b[2m:\x1b[0m "
               "stream disconnected - retrying sampling request (1/5 in " +
               std::string(wait) + ")... turn_id=x";
    };
    auto begin = [] {
        Conversation conversation(replay::settings(AgentKind::codex), replay::prompt());
        conversation.launch({});
        for (const std::string& line : begin_of_codex)
            conversation.stdout_line(line, {});
        return conversation;
    };
    const std::vector<std::string> limit{"failure usage_limit -+3600: 429"};
    SECTION("told before the retry") {
        Conversation conversation = begin();
        CHECK(conversation.stderr_line(log("3599.99s"), {}).empty());
        CHECK(replay::described(conversation.stdout_line(error, {})) == limit);
    }
    SECTION("told after it") {
        Conversation conversation = begin();
        CHECK(conversation.stdout_line(error, {}).empty());
        CHECK(replay::described(conversation.stderr_line(log("3599.99s"), {})) == limit);
    }
    SECTION("a short wait") {
        Conversation conversation = begin();
        CHECK(conversation.stdout_line(error, {}).empty());
        CHECK(conversation.stderr_line(log("187.2ms"), {}).empty());
    }
}
