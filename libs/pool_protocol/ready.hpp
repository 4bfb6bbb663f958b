// An agent's ready file: announces the agent, and, while it has a task, releases the task. Pure.
#pragma once

#include "base/labels.hpp"
#include "pool_protocol/agent_report.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// How one of this project's agents ends its task without a response.
struct Release {
    enum class Reason {
        handed_back,  // it can't do the task now; another agent may
        failed,       // it has failed at the task
        timeout,      // it has ended its command because the task timed out
        ended,        // it has ended its command after a kick
    };
    Reason reason = Reason::handed_back;
    std::string message;           // for people
    std::optional<int> exit_code;  // handed_back, failed: one of these two, or none
    std::optional<int> signal;
    // handed_back, failed: a short name of the failure for programs, such as "too_large", as of
    // is_failure_name(); empty if there is none, as for commands.
    std::string failure = {};
    bool is_permanent = false;                         // failed: trying again cannot help
    std::optional<AgentReport> report = std::nullopt;  // what it tells of its work

    friend bool operator==(const Release&, const Release&) = default;
};

std::string_view reason_name(Release::Reason reason);
// An unknown name reads as `handed_back`.
Release::Reason parse_reason(std::string_view name);

// The members of a release that follow its reason and its message: `,"exit_code":7`, or nothing.
std::string end_members(const Release& release);
// All members except the message.
Release release_in(json::View object, std::string message);

// Members other than `name` and `locked` are additions to the published protocol (docs/troupe-protocol.md,
// "Additions").
struct Ready {
    std::string name;             // may be empty
    bool locked = false;          // its writer holds an flock on it while it waits
    bool keeps_lock = false;      // and also while it works: a free lock means that it has died
    bool ends_when_told = false;  // a kick ends its work, and then it releases the task
    std::string session;          // the connection that its process keeps to the daemon; may be empty
    base::Labels labels;          // it gets only tasks of which it has all labels
    bool wants_schema = false;    // it gets the response's schema beside the task
    bool reports = false;         // it may write a report before its response
    static constexpr std::size_t max_account = 200;  // bytes
    std::string account;  // a name for its account at a provider; empty if it has none, or too long a one
    std::string labels_problem;  // why its labels cannot be used; empty if they can
    std::optional<Release> release;
};

std::string to_json(const Ready& ready);
// Text that is not a JSON object reads as {}: a published agent's file may be anything.
Ready parse_ready(std::string_view text);

}  // namespace pool_protocol
