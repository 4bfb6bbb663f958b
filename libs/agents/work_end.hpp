// How an agent's work at a task ended. Pure.
#pragma once

#include "pool_protocol/agent_report.hpp"
#include "pool_protocol/kick_reason.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace agents {

struct WorkEnd {
    WorkEnd() = default;  // no aggregate: g++ 12 destroys those twice in coroutines

    enum class Kind {
        responded,    // there is a response
        failed,       // the task is at fault, or may be
        unavailable,  // the agent cannot work for now: it rests, and the task is handed back
        parked,       // the agent's account has reached a usage limit: the task is handed back
        unusable,     // the agent cannot do any task: it ends, and the task is handed back
        timed_out,    // the task's time was over
        kicked,       // the pool has taken the task back
        stopped,      // the agent itself ends; the task is handed back
    };
    Kind kind = Kind::failed;
    std::string response;  // responded only
    std::string mistakes;  // responded: why the response is not valid, after all repairs; empty if it is
    std::string message;   // why, for people
    // The failure's name for programs, such as "too_large"; empty without one, and for commands.
    std::string failure;
    bool is_permanent = false;     // failed: the task would fail again
    std::optional<int> exit_code;  // failed, unavailable: of the command; one of these two, or none
    std::optional<int> signal;
    std::optional<std::chrono::sys_seconds> until;        // parked: when the limit ends, if that is known
    std::optional<std::chrono::seconds> wait;             // parked: or how long it lasts
    std::optional<pool_protocol::StatedKickReason> kick;  // the pool has taken the task back meanwhile
    std::optional<pool_protocol::AgentReport> report;     // of a program
    std::vector<std::string> denied;                      // what the model was not let do, and by whom
};

}  // namespace agents
