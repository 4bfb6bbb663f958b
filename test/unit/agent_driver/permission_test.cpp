// Which calls a program may make that asks for leave over ACP.
#include "base/text.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

#include <map>

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
