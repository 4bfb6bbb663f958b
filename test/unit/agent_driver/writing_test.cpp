// What a model writes, as it comes.
#include "agent_driver/conversation.hpp"
#include "base/text.hpp"
#include "json/json.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace agent_driver;
using Lines = std::vector<std::string>;

// What is between angle brackets is a secret.
Surroundings::Filter brackets() {
    return [held = std::string()](std::string_view piece, bool) mutable {
        held += piece;
        std::string out;
        for (std::size_t begin = 0; (begin = held.find('<')) != std::string::npos;) {
            const std::size_t end = held.find('>');
            out += held.substr(0, begin);
            held.erase(0, end == std::string::npos ? begin : end + 1);
            if (end == std::string::npos) return out;
            out += "***";
        }
        return out + std::exchange(held, "");
    };
}

struct Writer {
    explicit Writer(AgentKind kind) {
        Surroundings surroundings;
        surroundings.redact_pieces = brackets;
        conversation.emplace(replay::settings(kind), replay::prompt(), surroundings);
        conversation->launch({});
    }

    Lines read(std::string_view line) { return replay::described(conversation->stdout_line(line, {})); }
    Lines begin(std::string_view block = R"({"type":"text","text":""})", std::string_view parent = "null") {
        return read(base::concat(R"({"type":"stream_event","event":{"type":"content_block_start",)",
                                 R"("content_block":)", block, R"(},"parent_tool_use_id":)", parent, "}"));
    }
    Lines write(std::string_view text, std::string_view member = "text", std::string_view parent = "null") {
        return read(base::concat(R"({"type":"stream_event","event":{"type":"content_block_delta","delta":{")",
                                 member, "\":", json::quote(text), R"(}},"parent_tool_use_id":)", parent,
                                 "}"));
    }

    std::optional<Conversation> conversation;
};

}  // namespace

TEST_CASE("what claude writes is shown from the beginning of each message") {
    Writer claude(AgentKind::claude);
    CHECK(claude.begin().empty());
    CHECK(claude.write("The ") == Lines{"activity 1 writes: The"});
    CHECK(claude.write("draft\n\nis") == Lines{"activity 1 writes: The draft is"});
    claude.begin();
    CHECK(claude.write("Now") == Lines{"activity 1 writes: Now"});
    claude.begin(R"({"type":"tool_use","name":"StructuredOutput"})");
    CHECK(claude.write(R"({"tasks")", "partial_json") == Lines{R"(activity 1 writes: {"tasks")"});
}

TEST_CASE("other tools, thoughts and other agents of claude are not shown") {
    Writer claude(AgentKind::claude);
    claude.begin(R"({"type":"tool_use","name":"Write"})");
    CHECK(claude.write("{", "partial_json").empty());
    claude.begin(R"({"type":"thinking"})");
    CHECK(claude.write("hm", "thinking").empty());
    claude.begin();
    CHECK(claude.write("x", "text", R"("toolu_1")").empty());
}

TEST_CASE("the beginning of a secret is held back until it is none, and each message has a filter") {
    Writer claude(AgentKind::claude);
    claude.begin();
    CHECK(claude.write("a <secr") == Lines{"activity 1 writes: a"});
    CHECK(claude.write("et w") == Lines{"activity 1 writes: a"});
    CHECK(claude.write("ords> b") == Lines{"activity 1 writes: a *** b"});
    claude.write(" <secret");
    claude.begin();
    CHECK(claude.write("c") == Lines{"activity 1 writes: c"});
}

TEST_CASE("of a long message the end is shown") {
    Writer claude(AgentKind::claude);
    claude.begin();
    Lines shown;
    for (int i = 0; i < 2000; ++i)
        shown = claude.write("ä12345");
    REQUIRE(shown.size() == 1);
    CHECK_THAT(shown.front(), Catch::StartsWith("activity 1 writes: …") && Catch::EndsWith("ä12345"));
    CHECK(shown.front().size() < 120);
}

TEST_CASE("codex and programs of the protocol write, too") {
    Writer codex(AgentKind::codex);
    codex.read(R"({"id":2,"result":{"thread":{"id":"t"},"model":"m"}})");
    codex.read(R"({"id":3,"result":{"turn":{"id":"u"}}})");
    auto delta = [&](std::string_view thread, std::string_view item, std::string_view text) {
        return codex.read(base::concat(R"({"method":"item/agentMessage/delta","params":{"threadId":")",
                                       thread, R"(","turnId":"u","itemId":")", item, R"(","delta":")", text,
                                       R"("}})"));
    };
    CHECK(delta("t", "1", "a") == Lines{"activity 1 writes: a"});
    CHECK(delta("other", "9", "x").empty());
    CHECK(delta("t", "1", "b") == Lines{"activity 1 writes: ab"});
    CHECK(delta("t", "2", "c") == Lines{"activity 1 writes: c"});

    Writer acp(AgentKind::gemini);
    acp.read(R"({"id":1,"result":{"protocolVersion":1}})");
    acp.read(R"({"id":2,"result":{"sessionId":"s"}})");
    auto chunk = [&](std::string_view text) {
        return acp.read(base::concat(
            R"({"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"text":")",
            text, R"("}}}})"));
    };
    CHECK(chunk("a") == Lines{"activity 1 writes: a"});
    CHECK(chunk("b") == Lines{"activity 1 writes: ab"});
}
