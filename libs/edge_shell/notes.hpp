// The notes of an edge about its tasks, as lines of JSON: what the next process gets as Recovered, and what
// the shell adds to it. Pure.
//
// Readers ignore members that they do not know, so that an older edge can read the notes of a newer one.
#pragma once

#include "base/error.hpp"
#include "edge/agent_side.hpp"
#include "edge/submitter_side.hpp"
#include "edge_shell/left_agents.hpp"

#include <string>
#include <string_view>

namespace edge_shell {

// The keys of the notes in the journal begin with these; the task's id follows.
inline constexpr std::string_view agent_prefix = "agent/";
inline constexpr std::string_view submitter_prefix = "submitter/";

struct AgentNote {
    edge::agent_side::Recovered task;
    std::string answer;        // Stage::answered: its text; otherwise empty
    std::string ending_agent;  // the agent that still works on the task after its recall; or empty
    LeftAgents left = {};      // that have had the task before
};

struct SubmitterNote {
    edge::submitter_side::Recovered task;
};

// The note on one line. Timeouts are rounded up to milliseconds. Invalid UTF-8 is replaced by U+FFFD.
std::string to_json(const AgentNote& note);
std::string to_json(const SubmitterNote& note);

// Any text is safe. The error contains the first member that is absent or not valid.
base::Result<AgentNote> parse_agent_note(std::string_view text);
base::Result<SubmitterNote> parse_submitter_note(std::string_view text);

}  // namespace edge_shell
