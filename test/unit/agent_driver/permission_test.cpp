// Which calls a program may make that asks for leave over ACP.
#include "base/text.hpp"
#include "json/json.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace {

using namespace agent_driver;

// The option that is chosen for an edit of the file, in a directory whose links are these.
std::string chosen(const std::string& path, const std::map<std::string, std::string>& links = {}) {
    Settings settings = replay::settings(AgentKind::acp);
    settings.permissions = Permissions::edit;
    Surroundings surroundings;
    surroundings.real_path = [&](const std::string& given) {
        auto link = links.find(given);
        return link == links.end() ? given : link->second;
    };
    Conversation conversation(settings, replay::prompt(), surroundings);
    conversation.launch({});
    const std::string options =
        R"([{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}])";
    Actions actions = conversation.stdout_line(
        base::concat(R"({"id":7,"method":"session/request_permission","params":{"options":)", options,
                     R"(,"toolCall":{"kind":"edit","locations":[{"path":")", path, R"("}]}}})"),
        {});
    const std::string& line = std::get<Send>(actions.front()).line;
    return line.find(R"("yes")") != std::string::npos ? "yes" : "no";
}

// The option that is chosen for a call of that kind, with these members in addition.
std::string outcome(Permissions permissions, std::string_view kind, std::string_view more = "") {
    Settings settings = replay::settings(AgentKind::acp);
    settings.permissions = permissions;
    Conversation conversation(settings, replay::prompt());
    conversation.launch({});
    std::string line = R"({"id":"r1","method":"session/request_permission","params":{"options":[
        {"optionId":"always","kind":"allow_always"},{"optionId":"once","kind":"allow_once"},
        {"optionId":"no","kind":"reject_once"}],"toolCall":{"kind":")" +
                       std::string(kind) + "\"" + std::string(more) + "}}}";
    auto actions = conversation.stdout_line(line, {});
    std::string sent = std::get<Send>(actions.at(0)).line;
    json::View reply = json::View::of(sent);
    CHECK(reply.find("id")->string() == "r1");
    return reply.find("result")->find("outcome")->find("optionId")->string();
}

}  // namespace

TEST_CASE("a file is judged by its name and by where links lead") {
    CHECK(chosen("a.txt") == "yes");
    CHECK(chosen("/project/a.txt") == "yes");
    CHECK(chosen("/project/.git/config") == "no");
    CHECK(chosen("../a.txt") == "no");
    CHECK(chosen("out/a.txt", {{"/project/out/a.txt", "/home/me/a.txt"}}) == "no");
    CHECK(chosen("hooks/a", {{"/project/hooks/a", "/project/.git/hooks/a"}}) == "no");
    CHECK(chosen("in/a.txt", {{"/project/in/a.txt", "/project/a.txt"}}) == "yes");
    CHECK(chosen("round/a.txt", {{"/project/round/a.txt", ""}}) == "no");
    // Its name alone is reason enough.
    CHECK(chosen("/home/me/link", {{"/home/me/link", "/project/a.txt"}}) == "no");
}

TEST_CASE("requests of a program for leave are answered as the permissions say") {
    CHECK(outcome(Permissions::read, "read") == "once");
    CHECK(outcome(Permissions::read, "edit") == "no");
    CHECK(outcome(Permissions::edit, "edit") == "once");
    CHECK(outcome(Permissions::edit, "execute") == "no");
    CHECK(outcome(Permissions::full, "execute") == "once");
}

TEST_CASE("leave is given for files of the directory only, and for no configuration") {
    auto at = [](std::string_view path) { return R"(,"locations":[{"path":")" + std::string(path) + "\"}]"; };
    CHECK(outcome(Permissions::edit, "edit", at("/project/src/a.cpp")) == "once");
    CHECK(outcome(Permissions::edit, "edit", at("src/a.cpp")) == "once");
    CHECK(outcome(Permissions::edit, "edit", at("/project/../other/a.cpp")) == "no");
    CHECK(outcome(Permissions::edit, "edit", at("/project2/a.cpp")) == "no");
    CHECK(outcome(Permissions::edit, "edit", at("/project/.gemini/settings.json")) == "no");
    CHECK(outcome(Permissions::edit, "delete", at("/project/.git/hooks/post-commit")) == "no");
    CHECK(outcome(Permissions::edit, "edit", R"(,"content":[{"type":"diff","path":"/etc/passwd"}])") == "no");
    CHECK(outcome(Permissions::read, "read", at("/project/.git/config")) == "once");
    CHECK(outcome(Permissions::read, "read", at("/home/me/.ssh/id")) == "no");
    CHECK(outcome(Permissions::full, "edit", at("/etc/passwd")) == "once");
}

TEST_CASE("a call is told when it begins, also if the program only asks whether it may make it") {
    auto told = [](AgentKind kind, std::string_view tool_kind) {
        auto lines = replay::played_lines(
            kind,
            {base::concat(R"({"id":7,"method":"session/request_permission","params":{"options":[],)",
                          R"("toolCall":{"toolCallId":"c","title":"a.txt","kind":")", tool_kind, R"("}}})")});
        return std::ranges::any_of(lines, [](const std::string& line) {
            return line.find("a.txt") != std::string::npos && !line.starts_with("denied");
        });
    };
    CHECK(told(AgentKind::gemini, "read"));
    CHECK_FALSE(told(AgentKind::gemini, "execute"));  // it is denied
    CHECK_FALSE(told(AgentKind::acp, "read"));        // which tells of the call itself
}
