#include "pool_tools/ledger.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "pool_tools/results.hpp"

#include <algorithm>

namespace pool_tools {

void McpLedger::given(mcp::CallId call, const std::string& id) {
    held_.emplace(id, Held{call});
    given_by_.emplace(call, id);
}

bool McpLedger::finished(const std::string& id) {
    return end(id, simple_result("Finished", id, "The response is given in. Another one changes nothing."));
}

bool McpLedger::given_back(const std::string& id) {
    return end(id, simple_result("GivenBack", id,
                                 "The task is not yours any more: another agent gets it. Call next_task."));
}

bool McpLedger::taken_away(const std::string& id, std::string_view reason) {
    return end(
        id, simple_result("TakenAway", id,
                          base::concat("The pool has taken the task back: ", reason, ". Call next_task.")));
}

void McpLedger::used(const std::string& id) {
    if (auto found = held_.find(id); found != held_.end()) given_by_.erase(found->second.given_by);
}

bool McpLedger::has_to_tell() const {
    return std::any_of(given_by_.begin(), given_by_.end(),
                       [this](const auto& given) { return !held_.at(given.second).told_by; });
}

std::vector<std::string> McpLedger::tell_unnamed(mcp::CallId call) {
    std::vector<std::string> ids;
    for (const auto& [giver, id] : given_by_) {
        if (giver == call) continue;
        held_.at(id).told_by = call;
        if (ids.size() < most_told) ids.push_back(id);
    }
    return ids;
}

std::optional<std::string> McpLedger::unheard(mcp::CallId call) {
    for (auto& [id, held] : held_)
        if (held.told_by == call) held.told_by.reset();
    auto found = given_by_.find(call);
    if (found == given_by_.end()) return std::nullopt;
    std::string id = found->second;
    given_back(id);
    return id;
}

std::vector<std::string> McpLedger::client_ended() {
    std::vector<std::string> ids = held();
    for (const std::string& id : ids)
        given_back(id);
    return ids;
}

std::vector<std::string> McpLedger::held() const {
    std::vector<std::string> ids;
    for (const auto& [id, held] : held_)
        ids.push_back(id);
    return ids;
}

mcp::Outcome McpLedger::end_of(const std::string& id) const {
    auto end =
        std::find_if(ends_.rbegin(), ends_.rend(), [&](const auto& entry) { return entry.first == id; });
    if (end != ends_.rend()) return mcp::ToolResult{end->second, {}};
    return mcp::ToolFailure{base::concat("You have no task ", json::quote(id),
                                         ". pool_status lists your tasks; next_task gives you another one.")};
}

bool McpLedger::end(const std::string& id, std::string result) {
    auto found = held_.find(id);
    if (found == held_.end()) return false;
    given_by_.erase(found->second.given_by);
    held_.erase(found);
    if (ends_.size() == most_ends) ends_.pop_front();
    ends_.emplace_back(id, std::move(result));
    return true;
}

}  // namespace pool_tools
