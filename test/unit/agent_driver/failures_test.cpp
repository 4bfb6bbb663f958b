// What each kind of failure looks like, by program. The lines are those of the programs, shortened.
#include "base/text.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

namespace {

using agent_driver::AgentKind;
using agent_driver::Conversation;

struct Row {
    std::string_view what;  // as the program says it
    std::string_view failure;
};

// The kind and the time of the failure that these lines end with.
std::string failure(AgentKind kind, const std::vector<std::string>& lines) {
    auto actions = replay::played_lines(kind, lines);
    REQUIRE(!actions.empty());
    std::string last = actions.back();
    return last.substr(0, last.find(':'));
}

std::string claude_result(std::string_view members) {
    return base::concat(R"({"type":"result","is_error":true,)", members, "}");
}

// A failed request: the code is in a message of its own, before the result.
std::string claude_failure(std::string_view code, std::string_view status) {
    std::string message =
        base::concat(R"({"type":"assistant","message":{"id":"x","content":[]},"error":")", code, "\"}");
    return failure(AgentKind::claude,
                   {message, claude_result(base::concat(
                                 R"("subtype":"success","result":"x","api_error_status":)", status))});
}

const std::vector<std::string> codex_begin{R"({"id":1,"result":{}})",
                                           R"({"id":2,"result":{"thread":{"id":"t"},"model":"m"}})"};

std::string codex_failure(std::string_view info, bool retried = false, std::string_view message = "x") {
    auto lines = codex_begin;
    if (retried)
        lines.emplace_back(
            R"({"method":"error","params":{"threadId":"t","willRetry":true,"error":{"message":"Reconnecting... 1/5"}}})");
    lines.push_back(base::concat(
        R"({"method":"turn/completed","params":{"threadId":"t","turn":{"status":"failed","error":{"message":")",
        message, R"(","codexErrorInfo":)", info, "}}}}"));
    return failure(AgentKind::codex, lines);
}

const std::vector<std::string> acp_begin{R"({"id":1,"result":{"protocolVersion":1}})",
                                         R"({"id":2,"result":{"sessionId":"s"}})"};

std::string acp_end(AgentKind kind, std::string_view member) {
    auto lines = acp_begin;
    lines.push_back(base::concat(R"({"id":3,)", member, "}"));
    return failure(kind, lines);
}

}  // namespace

TEST_CASE("claude: results that are failures") {
    const Row rows[] = {
        {R"("subtype":"error_max_budget_usd")", "failure budget -"},
        {R"("subtype":"error_max_turns")", "failure turn_limit -"},
        {R"("subtype":"error_max_structured_output_retries")", "failure no_answer -"},
        {R"("subtype":"error_during_execution")", "failure error -"},
        {R"("subtype":"success","stop_reason":"refusal")", "failure refusal -"},
        {R"("subtype":"success","terminal_reason":"prompt_too_long","api_error_status":400)",
         "failure too_large -"},
    };
    for (const Row& row : rows) {
        INFO(row.what);
        CHECK(failure(AgentKind::claude, {claude_result(row.what)}) == row.failure);
    }
}

TEST_CASE("claude: failed requests") {
    CHECK(claude_failure("authentication_failed", "401") == "failure not_ready -");
    CHECK(claude_failure("authentication_failed", "null") == "failure not_ready -");
    CHECK(claude_failure("billing_error", "400") == "failure not_ready -");
    CHECK(claude_failure("model_not_found", "404") == "failure not_ready -");
    CHECK(claude_failure("rate_limit", "429") == "failure usage_limit -");
    CHECK(claude_failure("server_error", "529") == "failure overloaded -");
    CHECK(claude_failure("server_error", "null") == "failure overloaded -");
    CHECK(claude_failure("max_output_tokens", "null") == "failure too_large -");
    CHECK(claude_failure("invalid_request", "413") == "failure too_large -");
    CHECK(claude_failure("invalid_request", "400") == "failure error -");
    CHECK(claude_failure("something_new", "503") == "failure overloaded -");
    CHECK(claude_failure("something_new", "null") == "failure error -");
}

TEST_CASE("claude: a page in the place of an answer is the network's") {
    std::string end = claude_result(
        R"("subtype":"success","result":"API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy","api_error_status":null)");
    CHECK(failure(AgentKind::claude, {end}) == "failure overloaded -");
    CHECK(claude_failure("unknown", "407") == "failure overloaded -");
    CHECK(failure(AgentKind::claude,
                  {claude_result(R"("subtype":"success","result":"API Error: Failed to parse JSON")")}) ==
          "failure overloaded -");
}

TEST_CASE("claude: only a limit that is in force has an end") {
    auto event = [](std::string_view status) {
        return base::concat(R"({"type":"rate_limit_event","rate_limit_info":{"status":")", status,
                            R"(","resetsAt":1795399200}})");
    };
    std::string limited = R"({"type":"assistant","message":{"id":"x"},"error":"rate_limit"})";
    std::string end = claude_result(R"("subtype":"success","result":"x","api_error_status":429)");
    CHECK(failure(AgentKind::claude, {event("rejected"), limited, end}) == "failure usage_limit 1795399200");
    CHECK(failure(AgentKind::claude, {event("allowed_warning"), limited, end}) == "failure usage_limit -");
    CHECK(failure(AgentKind::claude, {event("rejected"), event("allowed"), limited, end}) ==
          "failure usage_limit -");
}

TEST_CASE("codex: failed turns") {
    const Row rows[] = {
        {R"("contextWindowExceeded")", "failure too_large -"},
        {R"("usageLimitExceeded")", "failure usage_limit -"},
        {R"("rateLimitExceeded")", "failure usage_limit -"},
        {R"("serverOverloaded")", "failure overloaded -"},
        {R"("internalServerError")", "failure overloaded -"},
        {R"("modelNotFound")", "failure not_ready -"},
        {R"("unauthorized")", "failure not_ready -"},
        {R"("cyberPolicy")", "failure refusal -"},
        {R"("sessionBudgetExceeded")", "failure budget -"},
        {R"("badRequest")", "failure error -"},
        {R"("other")", "failure error -"},
        {R"({"httpConnectionFailed":{"httpStatusCode":401}})", "failure not_ready -"},
        {R"({"httpConnectionFailed":{"httpStatusCode":null}})", "failure overloaded -"},
        {R"({"responseTooManyFailedAttempts":{"httpStatusCode":429}})", "failure usage_limit -"},
        {R"({"responseStreamDisconnected":{"httpStatusCode":502}})", "failure overloaded -"},
        {R"({"activeTurnNotSteerable":{"turnKind":"review"}})", "failure error -"},
        {R"({})", "failure error -"},
        {R"(null)", "failure error -"},
    };
    for (const Row& row : rows) {
        INFO(row.what);
        CHECK(codex_failure(row.what) == row.failure);
    }
}

TEST_CASE("codex: what it has no code for is known by its own words") {
    auto other = [](std::string_view words, bool retried = true) {
        return codex_failure(R"("other")", retried,
                             base::concat("stream disconnected before completion: ", words));
    };
    CHECK(other("error sending request") == "failure overloaded -");
    CHECK(other("error sending request", false) == "failure error -");
    CHECK(other("stream closed before response.completed") == "failure overloaded -");
    CHECK(other("An error occurred while processing your request. You can retry.") == "failure overloaded -");
    CHECK(other("Strange things happened.") == "failure error -");
    CHECK(other("Incomplete response returned, reason: content_filter") == "failure refusal -");
    CHECK(codex_failure(R"("other")", false, "Incomplete response returned, reason: max_output_tokens") ==
          "failure too_large -");
    CHECK(codex_failure(R"("other")", false, "Incomplete response returned, reason: new") ==
          "failure error -");
}

TEST_CASE("codex: a key that is not in the environment") {
    auto lines = codex_begin;
    lines.emplace_back(
        R"({"method":"turn/completed","params":{"threadId":"t","turn":{"status":"failed","error":{)"
        R"("message":"Missing environment variable: `KEY`.","codexErrorInfo":"other"}}}})");
    CHECK(failure(AgentKind::codex, lines) == "failure not_ready -");
}

TEST_CASE("codex: a request that gets no answer fails at once without a login, which may be the reason") {
    auto retried = [](std::string_view account, std::string_view info) {
        auto lines = codex_begin;
        lines.push_back(base::concat(R"({"id":"account",)", account, "}"));
        lines.push_back(
            base::concat(R"({"method":"error","params":{"threadId":"t","willRetry":true,"error":{)"
                         R"("message":"Reconnecting... 1/5","codexErrorInfo":)",
                         info, "}}}"));
        return failure(AgentKind::codex, lines);
    };
    const std::string goes_on = "send";
    const std::string none = R"("result":{"account":null,"requiresOpenaiAuth":true})";
    const std::string no_answer = R"({"responseStreamConnectionFailed":{"httpStatusCode":null}})";
    CHECK(retried(none, no_answer) == "failure overloaded -");
    CHECK(retried(none, R"({"httpConnectionFailed":{"httpStatusCode":401}})") == "failure not_ready -");
    CHECK(retried(none, R"({"responseStreamDisconnected":{"httpStatusCode":502}})") == goes_on);
    for (const char* account :
         {R"("result":{"account":{"type":"apiKey"},"requiresOpenaiAuth":true})",
          R"("result":{"account":null,"requiresOpenaiAuth":false})",
          R"("error":{"code":-32600,"message":"unknown variant `account/read`"})", R"("result":{})"})
        CHECK(retried(account, no_answer) == goes_on);
}

TEST_CASE("codex: a usage limit ends with the last window that is used up") {
    auto lines = codex_begin;
    lines.emplace_back(R"({"method":"account/rateLimits/updated","params":{"rateLimits":{
        "primary":{"usedPercent":100,"resetsAt":1795399200},"secondary":{"usedPercent":100,"resetsAt":1795999200}}}})");
    std::string end =
        R"({"method":"turn/completed","params":{"threadId":"t","turn":{"status":"failed","error":{"message":"x",
        "codexErrorInfo":"usageLimitExceeded"}}}})";
    lines.push_back(end);
    CHECK(failure(AgentKind::codex, lines) == "failure usage_limit 1795999200");
    lines.back() = R"({"method":"account/rateLimits/updated","params":{"rateLimits":{
        "primary":{"usedPercent":100,"resetsAt":1795399200},"secondary":{"usedPercent":40,"resetsAt":1795999200}}}})";
    lines.push_back(end);
    CHECK(failure(AgentKind::codex, lines) == "failure usage_limit 1795399200");
}

TEST_CASE("codex: refused requests") {
    std::string too_large =
        R"({"id":3,"error":{"code":-32602,"message":"x","data":{"input_error_code":"input_too_large"}}})";
    auto lines = codex_begin;
    lines.push_back(too_large);
    CHECK(failure(AgentKind::codex, lines) == "failure too_large -");
    lines.back() = R"({"id":3,"error":{"code":-32600,"message":"x"}})";
    CHECK(failure(AgentKind::codex, lines) == "failure error -");
    CHECK(failure(AgentKind::codex, {R"({"id":2,"error":{"code":-32600,"message":"x"}})"}) ==
          "failure not_ready -");
}

TEST_CASE("codex: an interrupt that is refused is no failure of the task") {
    Conversation conversation(replay::settings(AgentKind::codex), replay::prompt());
    conversation.launch({});
    for (const std::string& line : codex_begin)
        conversation.stdout_line(line, {});
    conversation.stdout_line(R"({"id":3,"result":{"turn":{"id":"n"}}})", {});
    CHECK(replay::described(conversation.interrupt()) == std::vector<std::string>{"send"});
    CHECK(conversation.stdout_line(R"({"id":4,"error":{"code":-32600,"message":"x"}})", {}).empty());
}

TEST_CASE("acp: ends of a turn") {
    const Row rows[] = {
        {R"("result":{"stopReason":"max_tokens"})", "failure too_large -"},
        {R"("result":{"stopReason":"max_turn_requests"})", "failure turn_limit -"},
        {R"("result":{"stopReason":"refusal"})", "failure refusal -"},
        {R"("result":{"stopReason":"cancelled"})", "failure interrupted -"},
        {R"("error":{"code":-32000,"message":"x"})", "failure not_ready -"},
        {R"("error":{"code":-32603,"message":"x","data":{"errorKind":"rate_limit"}})",
         "failure usage_limit -"},
        {R"("error":{"code":-32603,"message":"x","data":{"errorKind":"server_error"}})",
         "failure overloaded -"},
        {R"("error":{"code":-32603,"message":"x","data":{"errorKind":"max_output_tokens"}})",
         "failure too_large -"},
        {R"("error":{"code":-32603,"message":"x"})", "failure error -"},
    };
    for (const Row& row : rows) {
        INFO(row.what);
        CHECK(acp_end(AgentKind::acp, row.what) == row.failure);
    }
}

TEST_CASE("acp: an error without a reason is told as it came") {
    for (const char* error : {R"({})", R"({"code":-1})", R"({"message":""})", R"([])"}) {
        auto lines = acp_begin;
        lines.push_back(base::concat(R"({"id":3,"error":)", error, "}"));
        CHECK(replay::played_lines(AgentKind::acp, lines).back() ==
              base::concat("failure error -: the program tells no reason, only this error: ", error));
    }
}

TEST_CASE("acp: a program that cannot begin is not ready") {
    CHECK(failure(AgentKind::acp, {R"({"id":1,"result":{"protocolVersion":2}})"}) == "failure not_ready -");
    CHECK(failure(AgentKind::acp, {R"({"id":1,"error":{"code":-32601,"message":"x"}})"}) ==
          "failure not_ready -");
    CHECK(failure(AgentKind::acp, {acp_begin[0], R"({"id":2,"error":{"code":-32603,"message":"x"}})"}) ==
          "failure not_ready -");
}

TEST_CASE("gemini: the code of an error is an HTTP status") {
    const Row rows[] = {
        {R"("error":{"code":401,"message":"x"})", "failure not_ready -"},
        {R"("error":{"code":403,"message":"x"})", "failure not_ready -"},
        {R"("error":{"code":429,"message":"x"})", "failure usage_limit -"},
        {R"("error":{"code":500,"message":"x"})", "failure overloaded -"},
        {R"("error":{"code":503,"message":"x"})", "failure overloaded -"},
        {R"("error":{"code":400,"message":"x"})", "failure error -"},
        {R"("error":{"code":500,"message":"models/m is not found for API version v1"})",
         "failure not_ready -"},
        {R"("error":{"code":400,"message":"{\"error\":{\"message\":\"The input token count (2) exceeds the maximum number of tokens allowed (1).\"}}"})",
         "failure too_large -"},
        {R"("error":{"code":400,"message":"{\"error\":{\"details\":[{\"reason\":\"API_KEY_INVALID\"}]}}"})",
         "failure not_ready -"},
    };
    for (const Row& row : rows) {
        INFO(row.what);
        CHECK(acp_end(AgentKind::gemini, row.what) == row.failure);
    }
}

TEST_CASE("what a model says is never taken for a failure") {
    std::string said = "429 usage limit reached, models/m is not found, 401 Unauthorized";
    CHECK(replay::played_lines(
              AgentKind::claude,
              {base::concat(R"({"type":"result","subtype":"success","result":")", said, "\"}")})
              .back() == "answer " + said);
    auto lines = acp_begin;
    lines.push_back(base::concat(
        R"({"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk",)",
        R"("content":{"type":"text","text":")", said, "\"}}}}"));
    lines.emplace_back(R"({"id":3,"result":{"stopReason":"end_turn"}})");
    CHECK(replay::played_lines(AgentKind::gemini, lines).back() == "answer " + said);
}

TEST_CASE("what programs refuse by themselves is reported when they do") {
    using Lines = std::vector<std::string>;
    const std::string call =
        R"({"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash",)"
        R"("input":{"command":"ls"}}]}})";
    auto result = [](std::string_view words) {
        return base::concat(R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t",)"
                            R"("is_error":true,"content":")",
                            words, "\"}]}}");
    };
    auto last = [](const Lines& lines) { return lines.empty() ? "" : lines.back(); };
    CHECK(last(replay::played_lines(AgentKind::claude,
                                    {call, result("No such tool: Bash is not enabled in this context.")})) ==
          "denied Bash ls (claude)");
    CHECK(last(replay::played_lines(AgentKind::claude, {call, result("Exit code 1")})) == "usage 0 0 0 -");

    auto item = [](std::string_view members) {
        return base::concat(R"({"method":"rawResponseItem/completed","params":{"item":{)", members, "}}}");
    };
    const std::string touch = item(
        R"("type":"function_call","name":"exec_command","call_id":"c","arguments":"{\"cmd\":\"touch a\"}")");
    auto told = [&](std::string_view output) {
        return item(base::concat(R"("type":"function_call_output","call_id":"c","output":")", output, "\""));
    };
    const Lines refused{"denied Run touch a (codex)"};
    CHECK(replay::played_lines(AgentKind::codex,
                               {touch, told("Process exited with code 1\\na: Read-only file system")}) ==
          refused);
    CHECK(replay::played_lines(AgentKind::codex,
                               {touch, told("patch rejected: rejected by user approval settings")}) ==
          refused);
    CHECK(replay::played_lines(AgentKind::codex,
                               {touch, told("Process exited with code 0\\nPermission denied")})
              .empty());
    CHECK(replay::played_lines(AgentKind::codex, {touch, told("Process exited with code 1\\n")}).empty());

    CHECK(replay::played_lines(
              AgentKind::gemini,
              {R"({"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update",)"
               R"("toolCallId":"read_file__1","status":"failed","content":[{"type":"content","content":)"
               R"({"type":"text","text":"Path not in workspace: Attempted path \"/a\" resolves"}}]}}})"}) ==
          Lines{"denied read_file /a (gemini)"});
    CHECK(replay::played_lines(
              AgentKind::gemini,
              {R"({"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update",)"
               R"("toolCallId":"glob__2","status":"failed","content":[{"type":"content","content":)"
               R"({"type":"text","text":"Tool execution for \"FindFiles\" denied by policy."}}]}}})"}) ==
          Lines{"denied glob (gemini)"});
}

TEST_CASE("tools that Claude Code has denied are reported") {
    CHECK(
        replay::played_lines(AgentKind::claude,
                             {R"({"type":"result","subtype":"success","is_error":false,"result":"[]",)"
                              R"("permission_denials":[{"tool_name":"Bash","tool_use_id":"t1","tool_input":)"
                              R"({"command":"touch zzz"}},{"tool_name":"Write"}]})"}) ==
        std::vector<std::string>{"usage 0 0 0 -", "denied Bash touch zzz (claude)", "denied Write (claude)",
                                 "answer []"});
}
