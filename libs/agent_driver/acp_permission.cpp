#include "agent_driver/acp.hpp"
#include "agent_driver/fields.hpp"
#include "base/text.hpp"

namespace agent_driver {

namespace {

bool is_allowed(std::string_view tool_kind, Permissions permissions) {
    if (permissions == Permissions::full) return true;
    if (tool_kind == "read" || tool_kind == "search" || tool_kind == "think") return true;
    bool edits = tool_kind == "edit" || tool_kind == "delete" || tool_kind == "move";
    return edits && permissions == Permissions::edit;
}

// The id of the first option of one of these kinds, as JSON.
std::string_view option_of_kind(json::View params, std::string_view first, std::string_view second) {
    for (std::string_view kind : {first, second})
        for (json::View option : elements_at(params, {"options"}))
            if (auto id = option.find("optionId"); id && string_at(option, {"kind"}) == kind)
                return id->text();
    return "";
}

}  // namespace

bool allows(Permissions permissions, json::View params) {
    return is_allowed(string_at(params, {"toolCall", "kind"}), permissions);
}

std::string permission_answer(json::View params, bool allowed) {
    std::string_view option = allowed ? option_of_kind(params, "allow_once", "allow_always")
                                      : option_of_kind(params, "reject_once", "reject_always");
    if (option.empty()) return R"({"outcome":{"outcome":"cancelled"}})";
    return base::concat(R"({"outcome":{"outcome":"selected","optionId":)", option, "}}");
}

}  // namespace agent_driver
