// An agent's ready file: announces the agent, and, while it has a task, releases the task. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// How one of this project's agents ends its task without a response.
struct Release {
    enum class Reason {
        handed_back,  // it can't do the task now; another agent may
        failed,       // its command has failed
        timeout,      // it has ended its command because the task timed out
        ended,        // it has ended its command after a kick
    };
    Reason reason = Reason::handed_back;
    std::string message;           // for people
    std::optional<int> exit_code;  // failed: one of these two, or none
    std::optional<int> signal;
};

std::string_view reason_name(Release::Reason reason);
// An unknown name reads as `handed_back`.
Release::Reason parse_reason(std::string_view name);

// Members other than `name` and `locked` are additions to the published protocol (docs/troupe-protocol.md,
// "Additions").
struct Ready {
    std::string name;             // may be empty
    bool locked = false;          // its writer holds an flock on it while it waits
    bool keeps_lock = false;      // and also while it works: a free lock means that it has died
    bool ends_when_told = false;  // a kick ends its work, and then it releases the task
    std::string session;          // the connection that its process keeps to the daemon; may be empty
    std::optional<Release> release;
};

std::string to_json(const Ready& ready);
// Text that is not a JSON object reads as {}: a published agent's file may be anything.
Ready parse_ready(std::string_view text);

}  // namespace pool_protocol
