// The daemon's answer to a request: the agent's response, or the reason why there is none; written as text
// and parsed (docs/troupe-protocol.md). Pure.
#pragma once

#include "base/error.hpp"
#include "pool_protocol/agent_report.hpp"
#include "pool_protocol/ids.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace pool_protocol {

// In all of these, `agent` is the agent that had the task, and `report` what it and those that had it before
// tell of their work, if they do.

struct Processed {
    std::string response;
    AgentName agent = {};
    std::optional<AgentReport> report = std::nullopt;

    friend bool operator==(const Processed&, const Processed&) = default;
};

// No agent responded within the task's timeout.
struct TimedOut {
    AgentName agent = {};
    std::string last_error =
        {};  // the last message of an agent about why it cannot do the task; may be empty
    std::optional<AgentReport> report = std::nullopt;

    friend bool operator==(const TimedOut&, const TimedOut&) = default;
};

// The daemon stops, or drains.
struct Stopped {
    friend bool operator==(const Stopped&, const Stopped&) = default;
};

// The daemon refuses the task or its response.
struct Invalid {
    std::string message;

    friend bool operator==(const Invalid&, const Invalid&) = default;
};

// The agent has failed at the task. Only if Request::wants_failures.
struct AgentFailed {
    AgentName agent;
    std::string message;
    std::optional<int> exit_code = std::nullopt;  // one of these two, or none
    std::optional<int> signal = std::nullopt;
    std::string failure = {};   // see Release
    bool is_permanent = false;  // trying again cannot help
    std::optional<AgentReport> report = std::nullopt;

    friend bool operator==(const AgentFailed&, const AgentFailed&) = default;
};

// Several agents have died while they worked on the task. Only if Request::wants_failures.
struct AgentsLost {
    std::string message;
    std::optional<AgentReport> report = std::nullopt;

    friend bool operator==(const AgentsLost&, const AgentsLost&) = default;
};

using Answer = std::variant<Processed, TimedOut, Stopped, Invalid, AgentFailed, AgentsLost>;

// Removes what a submitter gets only if it asks for it with Request::wants_agent: the agent, its report, and
// the last error before a timeout.
void leave_out_agent(Answer& answer);

std::string to_json(const Answer& answer, const std::optional<std::string>& id = std::nullopt);

struct AnsweredRequest {
    std::optional<std::string> id;
    Answer answer;
};
// A reason that this build does not know is read as Invalid.
base::Result<AnsweredRequest> parse_answer(std::string_view text);

}  // namespace pool_protocol
