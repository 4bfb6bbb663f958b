#include "agent_driver/acp.hpp"

#include "agent_driver/acp_servers.hpp"
#include "agent_driver/activity.hpp"
#include "agent_driver/failure_words.hpp"
#include "agent_driver/fields.hpp"
#include "base/text.hpp"

#include <utility>

namespace agent_driver {

namespace {

using json::View;

constexpr std::int64_t acp_initialize_request = 1;
constexpr std::int64_t protocol_version = 1;
constexpr std::int64_t auth_required = -32000;

std::string text_block(std::string_view text) {
    return base::concat(R"({"type":"text","text":)", json::quote(text), "}");
}

// The call's title tells more than its kind.
std::string denied_call(View params, std::string_view directory) {
    std::string title = string_at(params, {"toolCall", "title"});
    if (title.empty()) title = string_at(params, {"toolCall", "kind"});
    return activity_text(title.empty() ? "a tool" : title, "", directory);
}

FailureKind kind_of_error(View error) {
    if (integer_at(error, {"code"}) == auth_required) return FailureKind::not_ready;
    std::string kind = string_at(error, {"data", "errorKind"});
    if (kind == "rate_limit") return FailureKind::usage_limit;
    if (kind == "server_error") return FailureKind::overloaded;
    if (kind == "max_output_tokens") return FailureKind::too_large;
    return FailureKind::error;
}

// The protocol leaves the form of an error's data to the programs.
std::string details_of(View error) {
    for (std::string_view name : {"details", "message", "error", "errorKind", "codex_error_info"})
        if (std::string details = string_at(error, {"data", name}); !tells_nothing(details)) return details;
    return string_at(error, {"data"});
}

}  // namespace

Launch Acp::launch() {
    Launch launch;
    launch.program = "/bin/sh";
    // The settings' arguments, which follow, become those of the command.
    launch.arguments = {"-c", base::concat(settings_.command, " \"$@\""), "sh"};
    launch.lines = {rpc_.request("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})")};
    return launch;
}

Events Acp::prompt(std::string_view text, const Images& images) {
    drop(words_);
    return {Send{rpc_.request(
        "session/prompt",
        base::concat("{\"sessionId\":", json::quote(session_), ",\"prompt\":[", text_block(text),
                     each_of(images, R"(,{"type":"image","mimeType":")", R"(","data":")", "\"}"), "]}"))}};
}

Events Acp::interrupt() {
    if (session_.empty()) return {};
    return {Send{
        rpc_.notification("session/cancel", base::concat("{\"sessionId\":", json::quote(session_), "}"))}};
}

Events Acp::read(View message) {
    auto id = message.find("id");
    std::string method = string_at(message, {"method"});
    auto body = message.find(method.empty() ? "result" : "params");
    if (!method.empty() && id) return read_request(method, *id, body.value_or(message));
    // While a session is loaded, the program tells what was said in it.
    const bool is_loading = session_.empty() && !prompt_.resume.empty();
    if (method == "session/update" && body && !is_loading) {
        auto update = body->find("update");
        return update ? read_update(*update) : Events();
    }
    auto number = integer_at(message, {"id"}).value_or(0);
    if (auto error = message.find("error")) return read_error(number, *error);
    return method.empty() && body ? read_result(number, *body) : Events();
}

Events Acp::read_request(std::string_view method, View id, View params) {
    if (method != "session/request_permission") return {Send{rpc_.not_served(id)}};
    const bool allowed = is_of_server(params) || allows(settings_, params, real_path_);
    Events events{Send{rpc_.result(id, permission_answer(params, allowed))}};
    if (!allowed) events.emplace_back(Denied{denied_call(params, settings_.directory), "permissions"});
    if (allowed && only_asks_of_call()) events.emplace_back(begin_call(value_at(params, {"toolCall"})));
    return events;
}

Activity Acp::begin_call(const std::optional<View>& call) {
    drop(words_);
    std::string kind = call ? string_at(*call, {"kind"}) : "";
    if (kind.empty() || kind == "other") kind = "call";
    kind.front() =
        static_cast<char>(kind.front() >= 'a' && kind.front() <= 'z' ? kind.front() - 32 : kind.front());
    const std::string title = call ? string_at(*call, {"title"}) : "";
    return {activity_text(kind, title, settings_.directory), ++tool_calls_};
}

Events Acp::read_update(View update) {
    std::string type = string_at(update, {"sessionUpdate"});
    if (type == "agent_message_chunk") {
        Words words{string_at(update, {"content", "text"}), tool_calls_ + 1, words_.empty()};
        append(words_, model_words, words.text);
        return {words};
    }
    // Gemini CLI repeats what was said in a session that it has loaded.
    if (type == "user_message_chunk") drop(words_);
    if (type == "tool_call_update") return read_refusal(update);
    if (type != "tool_call") return {};
    return {begin_call(update)};
}

Events Acp::read_result(std::int64_t id, View result) {
    if (id == acp_initialize_request) return read_initialized(result);
    if (id == session_request_ && session_.empty()) return read_session(result);
    if (id == rpc_.last() && id > session_request_) return read_turn_end(result);
    return {};
}

Events Acp::read_initialized(View result) {
    if (rpc_.last() != acp_initialize_request) return {};
    if (integer_at(result, {"protocolVersion"}) != protocol_version)
        return {Failure{
            FailureKind::not_ready, "the program does not speak version 1 of the Agent Client Protocol", {}}};
    if (has_running_server(servers_) && !is_true_at(result, {"agentCapabilities", "mcpCapabilities", "http"}))
        return {Failure{
            FailureKind::not_ready,
            "the program can use no servers of tools that run already (\"url\" in the file mcp), only "
            "those that it starts",
            {}}};
    if (images_ && !is_true_at(result, {"agentCapabilities", "promptCapabilities", "image"}))
        return {Failure{
            FailureKind::images, "the program takes no images (promptCapabilities.image is not true)", {}}};
    const bool can_load = is_true_at(result, {"agentCapabilities", "loadSession"});
    if (!can_load) prompt_.resume.clear();
    return {Send{prompt_.resume.empty() ? begin_session() : load_session()}};
}

std::string Acp::begin_session() {
    std::string request = rpc_.request(
        "session/new",
        base::concat("{\"cwd\":", json::quote(settings_.directory), ",", acp_servers(servers_), "}"));
    session_request_ = rpc_.last();
    return request;
}

std::string Acp::load_session() {
    std::string request =
        rpc_.request("session/load", base::concat("{\"sessionId\":", json::quote(prompt_.resume),
                                                  ",\"cwd\":", json::quote(settings_.directory), ",",
                                                  acp_servers(servers_), "}"));
    session_request_ = rpc_.last();
    return request;
}

Events Acp::read_session(View result) {
    const bool is_resumed = !prompt_.resume.empty();
    keep(session_, message_ids, is_resumed ? prompt_.resume : string_at(result, {"sessionId"}));
    keep(model_, message_ids, string_at(result, {"models", "currentModelId"}));
    Events events{Session{session_, model_}};
    std::string text =
        base::concat(instructions_text(prompt_, false), "\n\n", value_text(prompt_.value, images_));
    for (Event& event : is_resumed ? prompt(go_on_text(), {}) : prompt(text, images_))
        events.push_back(std::move(event));
    return events;
}

Events Acp::used(std::string model) {
    if (model.empty() || model == model_) return {};
    keep(model_, message_ids, std::move(model));
    return {Session{session_, model_}};
}

Events Acp::read_turn_end(View result) {
    Events events = read_usage(result);
    std::string reason = string_at(result, {"stopReason"});
    auto fail = [&](FailureKind kind, std::string message) {
        events.emplace_back(Failure{kind, std::move(message), {}});
    };
    if (reason == "max_tokens")
        fail(FailureKind::too_large, "the prompt or the answer is larger than the model can take");
    else if (reason == "max_turn_requests")
        fail(FailureKind::turn_limit, "the program's limit of requests to the model was reached");
    else if (reason == "refusal")
        fail(FailureKind::refusal, "the model refused the task");
    else if (reason == "cancelled")
        fail(FailureKind::interrupted, "the turn was interrupted");
    else
        events.emplace_back(Answer{words_});
    return events;
}

Failure Acp::failure(View error) const {
    std::string message = string_at(error, {"message"});
    // "Internal error" is what JSON-RPC calls any error that has no code of its own.
    if (std::string details = details_of(error); tells_nothing(message) && !details.empty())
        message = std::move(details);
    if (message.empty())
        message = base::concat("the program tells no reason, only this error: ", error.text());
    return {kind_of_error(error), std::move(message), {}};
}

Events Acp::read_error(std::int64_t id, View error) {
    if (id != rpc_.last()) return {};
    // The conversation is not there any more.
    if (id == session_request_ && !std::exchange(prompt_.resume, {}).empty()) return {Send{begin_session()}};
    Failure failed = failure(error);
    bool has_begun = !session_.empty();
    if (failed.kind == FailureKind::error && !has_begun) failed.kind = FailureKind::not_ready;
    return {failed};
}

std::unique_ptr<Driver> make_acp(const Settings& settings, const Prompt& prompt,
                                 const Surroundings& surroundings) {
    return std::make_unique<Acp>(settings, prompt, surroundings);
}

}  // namespace agent_driver
