// How an agent is run, and what it tells its process.
#pragma once

#include "agent_driver/settings.hpp"
#include "agents/conversations.hpp"
#include "agents/transcripts.hpp"
#include "pool_client/agent_session.hpp"
#include "process/marked_processes.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace agents {

// Why an agent takes no task for a while (agents/absence), and for how long.
struct AbsenceNotice {
    AbsenceNotice() = default;  // no aggregate: g++ 12 destroys those twice in coroutines

    std::string why;                    // for a log
    std::chrono::milliseconds time{0};  // from now
    bool is_its_own = false;            // the failure is the agent's, not the task's
    std::string account;  // that is parked: "claude (/home/me/.claude)"; empty: the agent rests or pauses
    std::string reason;   // of the park, as the provider has told it, on one line
};

struct AgentOptions {
    std::string name;                // shown in the daemon's log
    agent_driver::AgentGroup group;  // has passed its check
    // Added to this process's environment, with BARNUM_AGENT, which is `name`, and BARNUM_AGENT_ID, the
    // agent's id in the pool, which is a different one for each task.
    process::Environment environment;
    pool_client::AgentSession* session = nullptr;  // required; must outlive the agent
    Transcripts* transcripts = nullptr;            // of programs; null: none are kept; must outlive the agent
    Conversations* conversations = nullptr;        // null: each task begins anew; must outlive the agent
    bool redacts = true;         // replaces secrets in what it tells of its work; transcripts never have any
    bool ends_when_told = true;  // a kick or the task's timeout ends the work
    // The agent belongs to a run, which supervises it: it ends as soon as the pool is gone or stops, and does
    // not wait for it.
    bool is_supervised = false;
    // Whether the agent is to end after its task; may be empty.
    std::function<bool()> is_draining;
    // Called when the agent begins a task and when it has reported the task's end; may be empty.
    std::function<void(bool is_at_work)> on_task;
    // Whether the pool itself reports tasks that are handed back to the same log; may be empty.
    std::function<bool()> pool_reports_here;
    // Called when the agent begins an absence, and when that is over. May be empty.
    std::function<void(const AbsenceNotice&)> on_absence;
    std::function<void()> on_return;
};

}  // namespace agents
