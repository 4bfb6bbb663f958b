// Images, as each program is given them.
#include "agent_driver/images.hpp"

#include "agent_driver/conversation.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

#include <memory>

namespace {

using namespace agent_driver;

Surroundings looking() {
    Surroundings surroundings;
    surroundings.images = std::make_shared<const std::vector<Image>>(
        std::vector<Image>{{"a\n.png", "image/png", "QUJD"}, {"b.gif", "image/gif", "REVG"}});
    return surroundings;
}

// What is sent after the lines.
std::string sent(AgentKind kind, const std::vector<std::string>& lines,
                 const Prompt& prompt = replay::prompt()) {
    Settings settings = replay::settings(kind);
    if (kind == AgentKind::acp) settings.command = "program";
    Conversation conversation(settings, prompt, looking());
    std::string last = conversation.launch({}).lines.back();
    for (const std::string& line : lines)
        for (const Action& action : conversation.stdout_line(line, {}))
            if (const auto* send = std::get_if<Send>(&action)) last = send->line;
    return last;
}

bool has_part(std::string_view part, std::string_view text) {
    return text.find(part) != std::string_view::npos;
}

constexpr std::string_view note = R"(in this order:\n\n1. \"a\\n.png\"\n2. \"b.gif\")";
const std::string initialized =
    R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"promptCapabilities":{"image":true}}}})";

}  // namespace

TEST_CASE("the type of an image follows from its first bytes") {
    using namespace std::string_view_literals;
    CHECK(image_type("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv) == "image/png");
    CHECK(image_type("\xff\xd8\xff\xe0\0\x10JFIF"sv) == "image/jpeg");
    CHECK(image_type("GIF87a..") == "image/gif");
    CHECK(image_type("GIF89a..") == "image/gif");
    CHECK(image_type("RIFF\0\1\2\3WEBPVP8 "sv) == "image/webp");
    for (std::string_view bytes :
         {""sv, "GIF88a"sv, "RIFF"sv, "RIFF0123"sv, "RIFF0123WAVE"sv, "<svg>"sv, "\x89PNG\n"sv, "BM"sv})
        CHECK(image_type(bytes).empty());
}

TEST_CASE("claude gets images beside the value") {
    const std::string line = sent(AgentKind::claude, {});
    CHECK(has_part(note, line));
    CHECK(line.ends_with(
        R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}},)"
        R"({"type":"image","source":{"type":"base64","media_type":"image/gif","data":"REVG"}}]}})"));
}

TEST_CASE("codex gets images beside the value") {
    const std::string line = sent(AgentKind::codex, {R"({"id":2,"result":{"thread":{"id":"t"}}})"});
    CHECK(has_part(note, line));
    CHECK(has_part(
        R"(,{"type":"image","url":"data:image/png;base64,QUJD"},{"type":"image","url":"data:image/gif;base64,REVG"}])",
        line));
}

TEST_CASE("a program that speaks the Agent Client Protocol gets images if it takes them") {
    for (AgentKind kind : {AgentKind::gemini, AgentKind::acp}) {
        const std::string line =
            sent(kind, {initialized, R"({"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}})"});
        CHECK(has_part(note, line));
        CHECK(line.ends_with(R"(,{"type":"image","mimeType":"image/png","data":"QUJD"},)"
                             R"({"type":"image","mimeType":"image/gif","data":"REVG"}]}})"));
    }
    Settings settings = replay::settings(AgentKind::acp);
    Conversation conversation(settings, replay::prompt(), looking());
    conversation.launch({});
    auto actions = conversation.stdout_line(
        R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}})", {});
    CHECK(replay::described(actions) ==
          std::vector<std::string>{
              "failure images -: the program takes no images (promptCapabilities.image is not true)"});
}

TEST_CASE("a conversation that goes on has its images already") {
    Prompt prompt = replay::prompt();
    prompt.resume = "s-1";
    CHECK_FALSE(has_part("QUJD", sent(AgentKind::claude, {}, prompt)));
    CHECK_FALSE(
        has_part("QUJD", sent(AgentKind::codex, {R"({"id":2,"result":{"thread":{"id":"s-1"}}})"}, prompt)));
    // One that is not there any more begins anew.
    CHECK(has_part("QUJD", sent(AgentKind::codex,
                                {R"({"id":2,"error":{"code":-1,"message":"none"}})",
                                 R"({"id":3,"result":{"thread":{"id":"t"}}})"},
                                prompt)));
}
