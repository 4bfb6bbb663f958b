// An agent's ready file: that it is there, and, while it has a task, that it lets go of it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// How an agent of ours lets go of its task other than by a response.
struct Release {
    enum class Reason {
        handed_back,  // it can't do it now; another may
        failed,       // its command has failed
        timeout,      // it has ended its command because the task's time is over
        ended,        // it has ended its command as it was told
    };
    Reason reason = Reason::handed_back;
    std::string message;           // for people
    std::optional<int> exit_code;  // failed: one of these two, or none
    std::optional<int> signal;
};

std::string_view reason_name(Release::Reason reason);
// A name that is not known is a task that is handed back.
Release::Reason parse_reason(std::string_view name);

// Members other than `name` and `locked` are additions of ours (docs/troupe-protocol.md, "Additions").
struct Ready {
    std::string name;             // may be empty
    bool locked = false;          // its writer holds an flock on it while it waits
    bool keeps_lock = false;      // and also while it works: a free lock means that it has died
    bool ends_when_told = false;  // a kick ends its work, and it says so
    std::string session;          // the connection that its process keeps to the daemon; may be empty
    std::optional<Release> release;
};

std::string to_json(const Ready& ready);
// Text that is not a JSON object reads as {}: a published agent's file may be anything.
Ready parse_ready(std::string_view text);

}  // namespace pool_protocol
