// What a program says is kept up to a limit, whatever it says and however often.
#include "agent_driver/room.hpp"

#include "base/text.hpp"
#include "random.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>

namespace {

using agent_driver::AgentKind;

// A line of the program in which "TEXT" is a text that is different each time.
struct Message {
    AgentKind kind;
    std::string line;
    bool is_kept;  // all that it says, until the end
};

std::string codex_raw(std::string_view members) {
    return base::concat(R"({"method":"rawResponseItem/completed","params":{"item":{)", members, "}}}");
}

std::string acp_update(std::string_view members) {
    return base::concat(R"({"method":"session/update","params":{"update":{)", members, "}}}");
}

std::vector<Message> messages() {
    const std::string call = R"({"type":"tool_use","id":"TEXT","name":"Bash","input":{"command":"TEXT"}})";
    std::vector<Message> all{
        {AgentKind::claude, R"({"type":"assistant","message":{"id":"TEXT","content":[]}})", true},
        {AgentKind::claude, R"({"type":"assistant","message":{"id":"m","content":[)" + call + "]}}", true},
        {AgentKind::claude, R"({"type":"system","subtype":"init","session_id":"TEXT","model":"TEXT"})",
         false},
        {AgentKind::claude, R"({"type":"assistant","error":"TEXT"})", false},
        {AgentKind::codex, codex_raw(R"("type":"function_call","call_id":"TEXT","name":"TEXT")"), true},
        {AgentKind::codex,
         R"({"method":"thread/tokenUsage/updated","params":{"threadId":"TEXT","tokenUsage":{"total":{}}}})",
         true},
        {AgentKind::codex,
         R"({"method":"item/started","params":{"item":{"type":"webSearch","query":"TEXT"}}})", false},
        {AgentKind::codex, R"({"id":9,"result":{"turn":{"id":"TEXT"}}})", false},
    };
    for (AgentKind kind : {AgentKind::gemini, AgentKind::acp}) {
        all.push_back(
            {kind, acp_update(R"("sessionUpdate":"agent_message_chunk","content":{"text":"TEXT"})"), true});
        all.push_back(
            {kind, acp_update(R"("sessionUpdate":"agent_thought_chunk","content":{"text":"TEXT"})"), false});
        all.push_back({kind, acp_update(R"("sessionUpdate":"plan","entries":[{"content":"TEXT"}])"), false});
        all.push_back(
            {kind, acp_update(R"("sessionUpdate":"tool_call","kind":"edit","title":"TEXT")"), false});
        all.push_back({kind, "TEXT", false});
        all.push_back(
            {kind, R"({"id":7,"method":"session/request_permission","params":{"toolCall":{"title":"TEXT"}}})",
             false});
    }
    return all;
}

std::string filled(std::string line, const std::string& text) {
    for (std::size_t at = line.find("TEXT"); at != line.npos; at = line.find("TEXT", at + text.size()))
        line.replace(at, 4, text);
    return line;
}

std::size_t peak_memory() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

// Twice as much as there is room for, in texts of this size. Returns the failure, if there is one.
std::string flooded(const Message& message, std::size_t size) {
    agent_driver::Conversation conversation(replay::settings(message.kind), replay::prompt());
    (void)conversation.launch({});
    std::string failure;
    for (std::size_t sent = 0, number = 0; sent < 2 * agent_driver::Room::most && failure.empty();
         sent += size) {
        std::string text = std::to_string(++number);
        text.resize(size, 'x');
        for (const agent_driver::Action& action : conversation.stdout_line(filled(message.line, text), {}))
            if (const auto* failed = std::get_if<agent_driver::Failure>(&action)) failure = failed->message;
    }
    return failure;
}

}  // namespace

TEST_CASE("no message of a program is kept without a limit, however large or many they are") {
    const std::size_t before = peak_memory();
    for (const Message& message : messages())
        for (std::size_t size : {std::size_t{2000}, std::size_t{1} << 20}) {
            // What is not kept is told from what is by long texts, which take less time.
            if (size == 2000 && (!message.is_kept || workflow_test::is_sanitized)) continue;
            INFO(message.line << ", " << size << " bytes each");
            const std::string failure = flooded(message, size);
            if (message.is_kept)
                CHECK(failure.find(" had more than 67108864 bytes") != failure.npos);
            else
                CHECK(failure.empty());
        }
    // A sanitizer keeps for a while what is not used any more.
    if (!workflow_test::is_sanitized) CHECK(peak_memory() - before < 6 * agent_driver::Room::most);
}
