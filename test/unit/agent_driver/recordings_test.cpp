// What the real programs print: Claude Code 2.1.197, Codex 0.169.0 and Gemini CLI 0.61.0, with model servers
// that answer from a script.
#include "replay.hpp"

#include <catch2/catch.hpp>

namespace {

using agent_driver::AgentKind;

struct Row {
    std::string_view name;
    std::string_view actions;  // a line each
};

std::string joined(const std::vector<std::string>& lines) {
    std::string out = "\n";
    for (const std::string& line : lines)
        out += line + "\n";
    return out;
}

void check(AgentKind kind, const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        INFO(row.name);
        CHECK(joined(replay::played(kind, row.name)) == row.actions);
    }
}

// clang-format off

const std::vector<Row> claude_rows{
    {"claude-success", R"(
session id-1 claude-opus-4-8[1m]
activity 1 Read a.txt
usage 2000 800 1 -
usage 4000 1600 2 -
usage 4000 1600 84 0.0149
answer [{"kind":"Next","value":{"n":1}}]
)"},
    {"claude-repair", R"(
session id-1 claude-opus-4-8[1m]
usage 2000 800 1 -
usage 2000 800 42 0.00745
answer [{"kind":"Nxt"}]
send
usage 4000 1600 43 0.00745
usage 4000 1600 84 0.0149
answer []
)"},
    {"claude-usage_limit", R"(
session id-1 claude-sonnet-5
usage 0 0 0 0
failure usage_limit 1795399200: You've hit your session limit · resets 2am (UTC)
)"},
    {"claude-auth", R"(
session id-1 claude-opus-4-8[1m]
usage 0 0 0 0
failure not_ready -: Invalid API key · Fix external API key
)"},
    {"claude-overloaded", R"(
session id-1 claude-opus-4-8[1m]
usage 0 0 0 0
failure overloaded -: API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:8080).
)"},
    {"claude-retry", R"(
session id-1 claude-opus-4-8[1m]
usage 2000 800 1 -
usage 2000 800 42 0.00745
answer []
)"},
    {"claude-refusal", R"(
session id-1 claude-opus-4-8[1m]
usage 2000 800 1 -
usage 2000 800 42 0.00745
failure refusal -: API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy (https://www.anthropic.com/legal/aup). Try rephrasing the request in a new session or change your model.
)"},
    {"claude-budget", R"(
session id-1 claude-opus-4-8[1m]
activity 1 Bash ls
usage 2000 800 1 -
usage 2000 800 42 0.00745
failure budget -: Reached maximum budget ($0.001)
)"},
    {"claude-turn_limit", R"(
session id-1 claude-opus-4-8[1m]
activity 1 Bash ls
usage 2000 800 1 -
usage 2000 800 42 0.00745
failure turn_limit -: Reached maximum number of turns (1)
)"},
    {"claude-wrong_structure", R"(
session id-1 claude-opus-4-8[1m]
usage 2000 800 1 -
usage 4000 1600 2 -
usage 6000 2400 3 -
usage 8000 3200 4 -
usage 10000 4000 5 -
usage 10000 4000 168 0.0298
failure no_answer -: Failed to provide valid structured output after 5 attempts: Output does not match required schema: root: must have required property 'tasks', root: must NOT have additional properties
)"},
    {"claude-interrupt", R"(
session id-1 claude-opus-4-8[1m]
send
usage 0 0 0 0
failure interrupted -: the turn was interrupted
)"},
    {"claude-too_large", R"(
session id-1 claude-opus-4-8[1m]
usage 0 0 0 0
failure too_large -: Prompt is too long · the request is ~250000 tokens (limit 200000) but this conversation is only ~462 tokens — the rest is system prompt, tool definitions, and attachment content. A single-exchange conversation cannot be compacted; reduce attached files/tools or start with less context.
)"},
};

const std::vector<Row> codex_rows{
    {"codex-success", R"(
session id-1 gpt-5.5
send
activity 1 Run /bin/bash -lc 'cat a.txt'
usage 1200 800 42 -
usage 2400 1600 84 -
answer [{"kind":"Next","value":{"n":1}}]
)"},
    {"codex-repair", R"(
session id-1 gpt-5.5
send
usage 1200 800 42 -
answer [{"kind":"Nxt"}]
send
usage 2400 1600 84 -
answer []
)"},
    {"codex-usage_limit", R"(
session id-1 gpt-5.5
send
failure usage_limit 1795399200: You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at Nov 23rd, 2026 2:00 AM.
)"},
    {"codex-auth", R"(
session id-1 gpt-5.5
send
failure not_ready -: unexpected status 401 Unauthorized: Incorrect API key provided., url: http://127.0.0.1:8080/v1/responses
)"},
    {"codex-overloaded", R"(
session id-1 gpt-5.5
send
failure overloaded -: Selected model is at capacity. Please try a different model.
)"},
    {"codex-network", R"(
session id-1 gpt-5.5
send
failure overloaded -: stream disconnected before completion: error sending request
)"},
    {"codex-retry", R"(
session id-1 gpt-5.5
send
usage 1200 800 42 -
answer []
)"},
    {"codex-too_large", R"(
session id-1 gpt-5.5
send
usage 0 0 0 -
failure too_large -: Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.
)"},
    {"codex-big_value", R"(
session id-1 gpt-5.5
send
failure too_large -: Input exceeds the maximum length of 1048576 characters.
)"},
    {"codex-edit", R"(
session id-1 gpt-5.5
send
activity 1 Run /bin/bash -lc 'touch zzz && ls'
usage 1200 800 42 -
usage 2400 1600 84 -
answer []
)"},
    {"codex-interrupt", R"(
session id-1 gpt-5.5
send
send
failure interrupted -: the turn was interrupted
)"},
};

const std::vector<Row> gemini_rows{
    {"gemini-success", R"(
send
session id-1 gemini-3.1-pro-preview
send
activity 1 Read a.txt
activity 2 writes: [{"kind":"Next","value":{"n":1}}]
usage 2400 0 84 -
answer [{"kind":"Next","value":{"n":1}}]
)"},
    {"gemini-repair", R"(
send
session id-1 gemini-3.1-pro-preview
send
activity 1 writes: Here: [{"kind":"Nxt"}]
usage 1200 0 42 -
answer [{"kind":"Nxt"}]
send
activity 1 writes: ``` [] ```
usage 2400 0 84 -
answer []
)"},
    {"gemini-usage_limit", R"(
send
session id-1 gemini-3.1-pro-preview
send
failure usage_limit -: You have exhausted your daily quota on this model.
)"},
    {"gemini-auth", R"(
send
session id-1 gemini-3.1-pro-preview
send
failure not_ready -: Request had invalid authentication credentials.
)"},
    {"gemini-wrong_key", R"(
send
session id-1 gemini-3.1-pro-preview
send
failure not_ready -: API key not valid. Please pass a valid API key.
)"},
    {"gemini-unknown_model", R"(
send
session id-1 gemini-3.1-pro-preview
send
failure not_ready -: models/no-such-model is not found for API version v1beta.
)"},
    {"gemini-overloaded", R"(
send
session id-1 gemini-3.1-pro-preview
send
failure overloaded -: The model is overloaded. Please try again later.
)"},
    {"gemini-retry", R"(
send
session id-1 gemini-3.1-pro-preview
send
activity 1 writes: []
usage 1200 0 42 -
answer []
)"},
    {"gemini-permission", R"(
send
session id-1 gemini-3.1-pro-preview
send
send
denied touch zzz (permissions)
send
denied Writing to b.txt (permissions)
activity 1 writes: []
usage 3600 0 126 -
answer []
)"},
    {"gemini-edit", R"(
send
session id-1 gemini-3.1-pro-preview
send
activity 1 Edit Writing to b.txt
send
denied touch zzz (permissions)
activity 2 writes: []
usage 3600 0 126 -
answer []
)"},
    {"gemini-big_value", R"(
send
session id-1 gemini-3.1-pro-preview
send
usage 0 0 0 -
failure too_large -: the prompt or the answer is larger than the model can take
)"},
    {"gemini-not_logged_in", R"(
send
failure not_ready -: Gemini API key is missing or not configured.
)"},
    {"gemini-interrupt", R"(
send
session id-1 gemini-3.1-pro-preview
send
send
failure interrupted -: the turn was interrupted
)"},
};

// clang-format on

}  // namespace

TEST_CASE("what Claude Code prints is understood") {
    check(AgentKind::claude, claude_rows);
}

TEST_CASE("what Codex prints is understood") {
    check(AgentKind::codex, codex_rows);
}

TEST_CASE("what Gemini CLI prints is understood") {
    check(AgentKind::gemini, gemini_rows);
}
