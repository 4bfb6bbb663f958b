#include "pool_tools/results.hpp"

#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "json/json.hpp"
#include "mcp/call.hpp"
#include "mcp/excerpt.hpp"

#include <algorithm>

namespace pool_tools {

using base::concat;
using json::quote;
using pool_protocol::UnixTime;

namespace {

constexpr std::size_t most_embedded = mcp::result_limit - 4'000;  // of contents and schema together
constexpr std::size_t longest_schema = 12'000;
constexpr std::size_t longest_excerpt = 8'000;
constexpr std::size_t longest_message = 4'000;
constexpr std::size_t most_agents = 100;

// A member with a comma before it; nothing if the text is empty.
std::string further(std::string_view name, std::string_view text) {
    return text.empty() ? "" : concat(",\"", name, "\":", quote(text));
}

std::string time_members(const std::optional<UnixTime>& deadline, UnixTime now) {
    if (!deadline) return "";
    auto left = std::chrono::duration_cast<std::chrono::seconds>(*deadline - now).count();
    auto text =
        base::utc_text(std::chrono::sys_seconds(std::chrono::duration_cast<std::chrono::seconds>(*deadline)));
    return concat(",\"deadline\":", quote(text), ",\"seconds_left\":", std::max<std::int64_t>(left, 0));
}

std::string schema_members(const GivenTask& task) {
    if (task.schema.empty()) return "";
    if (task.schema.size() > longest_schema) return further("response_schema_file", task.schema_file);
    return concat(",\"response_schema\":", json::compact(json::View::of(task.schema)));
}

std::string content_members(const GivenTask& task, std::size_t room) {
    std::string content = json::compact(json::View::of(task.content));
    if (content.size() <= room) return concat(",\"content\":", content);
    return concat(",\"content_excerpt\":", quote(mcp::excerpt(content, longest_excerpt)),
                  ",\"content_bytes\":", content.size(), further("content_file", task.content_file));
}

std::string id_list(const std::vector<std::string>& ids) {
    std::string list;
    for (const std::string& id : ids)
        list += concat(list.empty() ? "" : ",", quote(id));
    return concat(",\"your_tasks\":[", list, "]");
}

std::string not_processed(std::string_view id, std::string_view reason, std::string_view message) {
    return concat(R"({"kind":"NotProcessed","id":)", quote(id), ",\"reason\":", quote(reason),
                  further("message", mcp::excerpt(message, longest_message)), "}");
}

struct Failure {
    std::string_view reason;
    std::string message;
};

Failure failure_of(const pool_protocol::Answer& answer) {
    if (const auto* timed_out = std::get_if<pool_protocol::TimedOut>(&answer))
        return {"timeout", timed_out->last_error.empty()
                               ? std::string()
                               : concat("The time was over. The last error before: ", timed_out->last_error)};
    if (const auto* invalid = std::get_if<pool_protocol::Invalid>(&answer))
        return {"invalid", invalid->message};
    if (const auto* failed = std::get_if<pool_protocol::AgentFailed>(&answer))
        return {"agent_failed", failed->message};
    if (const auto* lost = std::get_if<pool_protocol::AgentsLost>(&answer))
        return {"agent_lost", lost->message};
    return {"stopped", ""};
}

std::string agent_text(const pool_protocol::AgentStatus& agent) {
    return concat("{\"name\":", quote(agent.name),
                  ",\"state\":", quote(pool_protocol::state_name(agent.state)),
                  further("submission", agent.submission),
                  agent.activity ? further("activity", agent.activity->text) : std::string(), "}");
}

}  // namespace

std::string simple_result(std::string_view kind, std::string_view id, std::string_view message) {
    return concat("{\"kind\":", quote(kind), further("id", id), further("message", message), "}");
}

std::string to_json(const GivenTask& task, UnixTime now, const std::vector<std::string>& others) {
    std::string schema = schema_members(task);
    return concat(R"({"kind":"Task","id":)", quote(task.id), time_members(task.deadline, now),
                  content_members(task, most_embedded - std::min(schema.size(), most_embedded)), schema,
                  others.empty() ? "" : id_list(others), "}");
}

std::string no_task_result(const std::vector<std::string>& others) {
    if (others.empty())
        return simple_result("Wait", "", "There is no task at the moment. Call next_task again.");
    return concat(
        R"({"kind":"Wait","message":)",
        quote("There is no other task at the moment. If one of your_tasks was lost with the result of a call "
              "that failed, call next_task with its id. Leave those alone at which you or another agent of "
              "this session works. Otherwise call next_task again."),
        id_list(others), "}");
}

AnswerText answer_result(std::string_view id, const pool_protocol::Answer& answer, std::string_view file) {
    const auto* processed = std::get_if<pool_protocol::Processed>(&answer);
    if (!processed) {
        Failure failure = failure_of(answer);
        return {not_processed(id, failure.reason, failure.message), false};
    }
    std::string head =
        concat(R"({"kind":"Processed","id":)", quote(id), further("agent", processed->agent.text()));
    auto value = json::checked(processed->response);
    std::string text = value.has_value() ? json::compact(*value) : quote(processed->response);
    if (text.size() <= most_embedded) return {concat(head, ",\"response\":", text, "}"), false};
    return {concat(head, ",\"response_excerpt\":", quote(mcp::excerpt(processed->response, longest_excerpt)),
                   ",\"response_bytes\":", processed->response.size(), further("answer_file", file), "}"),
            true};
}

std::string status_result(const pool_protocol::Status& status, const std::vector<std::string>& held) {
    std::string agents;
    std::size_t shown = 0;
    // The agents at work come first.
    for (bool busy : {true, false})
        for (const auto& agent : status.agents)
            if (shown < most_agents && (agent.state != pool_protocol::AgentStatus::State::idle) == busy)
                agents += concat(shown++ == 0 ? "" : ",", agent_text(agent));
    using State = pool_protocol::AgentStatus::State;
    return concat(R"({"kind":"Status","pool":)", quote(status.pool),
                  status.draining ? ",\"draining\":true" : "", ",\"queued\":", status.queue.length,
                  ",\"idle_agents\":", status.agents_in(State::idle),
                  ",\"busy_agents\":", status.agents_in(State::busy), ",\"agents\":[", agents,
                  "],\"processed\":", status.counts.processed, id_list(held), "}");
}

}  // namespace pool_tools
