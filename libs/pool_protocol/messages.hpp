// The requests of submitters, and the daemon's messages to agents, written as text and parsed
// (docs/troupe-protocol.md). Pure.
#pragma once

#include "base/error.hpp"
#include "base/labels.hpp"
#include "base/limits.hpp"
#include "pool_protocol/kick_reason.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace pool_protocol {

// The limit of what a daemon writes or sends, in bytes: twice what a pool may be allowed, since an answer
// quotes it.
inline constexpr std::size_t longest_message = 2 * std::size_t{base::most_message_bytes};

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
    // Additions to the published protocol (docs/troupe-protocol.md, "Additions").
    bool wants_agent = false;     // to be told which agent had the task, and what failed
    bool wants_failures = false;  // to be told when an agent fails at the task or dies of it
    bool may_host = false;        // the submitter can host the pool when the daemon that does so ends
    base::Labels labels = {};     // only an agent that has all of them gets the task
    // The JSON Schema of the response, as the text of an object, for agents that want it; empty if there is
    // none.
    std::string response_schema = {};
    bool wants_unmatched = false;  // to be told when no agent has them all (pool_protocol/unmatched)
    bool wants_activity = false;   // to be told what its agent does (pool_protocol/agent_activity)
    std::int32_t priority = 0;     // higher ones leave the queue first; at most max_priority up or down
};

inline constexpr std::int32_t max_priority = 1'000'000;

// The end of the kind of a request with labels, such as "InlineWithLabels". Daemons that do not know labels
// refuse the request for its kind: they would ignore a member, and give the task to any agent.
inline constexpr std::string_view with_labels = "WithLabels";
// Whether the message of a refusal is that of a daemon that does not know labels.
bool refuses_labels(std::string_view message);

std::string to_json(const Request& request);
// The error's message is for a NotProcessed/invalid answer; for invalid JSON it contains the byte offset.
// `id` is set if the id could be read, even if the rest is invalid, so that the answer can contain it.
base::Result<Request> parse_request(std::string_view text, std::optional<std::string>& id);

// What is wrong with the content; nothing if it is JSON in UTF-8 and not nested too deeply.
std::optional<std::string> content_problem(std::string_view content);

// `timeout_seconds` of the content; nothing if it is not an object that has one greater than zero.
std::optional<std::chrono::milliseconds> content_timeout(std::string_view content);

// Reads `timeout_seconds` from the content's last bytes, if it is the object's last member.
std::optional<std::chrono::milliseconds> timeout_at_end(std::string_view end);

// A submitter that stays connected withdraws one of its submissions: {"kind":"Withdraw","id":…}. It is not
// answered.
std::string withdrawal(std::string_view id);
std::optional<std::string> parse_withdrawal(std::string_view text);

// The daemon's own messages in a task file. They begin with '{'.
std::string heartbeat_message();
std::string kicked_message(const StatedKickReason& reason);

// Whether a submission's content would be parsed as one of them. Then it is written into the task file after
// a space; any other content is written unchanged.
bool reads_as_message(std::string_view content);

struct DaemonMessage {
    enum class Kind { heartbeat, kicked };
    Kind kind;
    StatedKickReason reason = KickReason::timeout;  // kicked only
};
// Nothing if the file holds a submission's content.
std::optional<DaemonMessage> parse_daemon_message(std::string_view task_file);

}  // namespace pool_protocol
