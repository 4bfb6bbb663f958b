// What travels between submitters, daemon and agents, as text and back (docs/troupe-protocol.md).
// Pure.
#pragma once

#include "base/error.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace pool_protocol {

struct Inline {
    std::string content;  // JSON text
};
struct FileReference {
    std::string path;  // absolute
};

// A submitter's request. `id` is the submitter's own, absent from published clients' socket requests.
// Not an aggregate, because it travels through coroutines, and g++ 12 destroys aggregates there twice.
struct Request {
    Request(std::optional<std::string> own_id, std::variant<Inline, FileReference> what)
        : id(std::move(own_id)), payload(std::move(what)) {}

    std::optional<std::string> id;
    std::variant<Inline, FileReference> payload;
    // Additions of ours to the protocol (docs/troupe-protocol.md, "Additions").
    bool wants_agent = false;     // to be told who had the task, and what went wrong with it
    bool wants_failures = false;  // to be told when an agent fails at the task or dies of it
    bool may_host = false;        // the submitter can host the pool when the daemon that does so ends
};

std::string to_json(const Request& request);
// The error's message is fit for a NotProcessed/invalid answer; it gives a byte offset where the JSON is bad.
// An id that could be read although the rest is bad is put into `id`, so that the answer can carry it.
base::Result<Request> parse_request(std::string_view text, std::optional<std::string>& id);

// Nothing if `content` is what an agent may get: JSON, UTF-8, not too deep.
std::optional<std::string> content_problem(std::string_view content);

// `timeout_seconds` of a content that is an object and has one, greater than zero.
std::optional<std::chrono::milliseconds> content_timeout(std::string_view content);

// The same, from the last bytes of a content that was not read: if it is the object's last member there.
std::optional<std::chrono::milliseconds> timeout_at_end(std::string_view end);

// A submitter that stays connected takes one of its submissions back: {"kind":"Withdraw","id":…}; it has no
// answer.
std::string withdrawal(std::string_view id);
std::optional<std::string> parse_withdrawal(std::string_view text);

// The daemon's answer to a request.
struct Answer {
    enum class Kind {
        processed,
        timeout,
        stopped,
        invalid,
        failed,  // the agent's command has failed; only for who wants failures
        lost,    // several agents have died at work on it; only for who wants failures
    };
    Kind kind = Kind::processed;
    // processed: the agent's response; invalid, failed, lost: the message; timeout: the last that an agent
    // said of why it can't do the task, or empty
    std::string text;
    std::string agent;  // whose response it is, or who let the time pass; empty where that isn't known
    std::optional<int> exit_code = std::nullopt;  // failed: one of these two, or none
    std::optional<int> signal = std::nullopt;

    static Answer processed(std::string response, std::string agent = {}) {
        return {Kind::processed, std::move(response), std::move(agent)};
    }
    static Answer timeout(std::string agent = {}, std::string trouble = {}) {
        return {Kind::timeout, std::move(trouble), std::move(agent)};
    }
    static Answer stopped() { return {Kind::stopped, {}, {}}; }
    static Answer failed(std::string agent, std::string message, std::optional<int> exit_code,
                         std::optional<int> signal) {
        return {Kind::failed, std::move(message), std::move(agent), exit_code, signal};
    }
    static Answer lost(std::string message) { return {Kind::lost, std::move(message), {}}; }
    static Answer invalid(std::string message) { return {Kind::invalid, std::move(message), {}}; }
};

// The agent and a timeout's text are additions: leave them empty for who has not asked for them.
std::string to_json(const Answer& answer, const std::optional<std::string>& id = std::nullopt);

struct AnsweredRequest {
    std::optional<std::string> id;
    Answer answer;
};
base::Result<AnsweredRequest> parse_answer(std::string_view text);

// The texts of a task file that are the daemon's own. They begin with '{'.
std::string heartbeat_message();
std::string kicked_message(std::string_view reason);  // "Timeout" or "Stopped"

// Whether a submission's content would read as one of them. It goes into the task file behind a space then;
// any other as it came.
bool reads_as_message(std::string_view content);

struct ControlMessage {
    enum class Kind { heartbeat, kicked };
    Kind kind;
    std::string reason;  // kicked only
};
// Nothing if the file holds a submission's content.
std::optional<ControlMessage> parse_control_message(std::string_view task_file);

}  // namespace pool_protocol
