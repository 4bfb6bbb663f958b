#include "agent_driver/codex_items.hpp"

#include "agent_driver/activity.hpp"
#include "agent_driver/fields.hpp"

namespace agent_driver {

using json::View;

std::string codex_activity(View item, std::string_view directory) {
    auto activity = [&](std::string_view verb, std::string_view object) {
        return activity_text(verb, object, directory);
    };
    const std::string type = string_at(item, {"type"});
    if (type == "commandExecution") return activity("Run", string_at(item, {"command"}));
    if (type == "webSearch") return activity("Search", string_at(item, {"query"}));
    if (type == "mcpToolCall") return activity("Call", string_at(item, {"tool"}));
    if (type != "fileChange") return "";
    auto changes = elements_at(item, {"changes"});
    return activity("Edit", changes.empty() ? "" : string_at(changes.front(), {"path"}));
}

std::string codex_call(View item, std::string_view directory) {
    const std::string text = string_at(item, {"arguments"});
    auto arguments = json::checked(text);
    const std::string command = arguments ? string_at(*arguments, {"cmd"}) : "";
    return activity_text(command.empty() ? string_at(item, {"name"}) : "Run", command, directory);
}

}  // namespace agent_driver
