// What agents have used that have left a task without an answer, as it travels with the task: in its record,
// whoever has it next, until its submitter's edge has read it. The record's text is an object whose first
// member is "left", an array of frames (pool_protocol/agent_activity); of an outcome, the rest is the answer.
// Edges that do not know the member pass over it. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace edge_shell {

// Objects of JSON, in the order in which the agents have left.
using LeftAgents = std::vector<std::string>;

// If there are more, the first are left out: they have been told long ago.
inline constexpr std::size_t most_left_agents = 32;

// Adds those that are not in the list yet. Returns whether there were any.
bool add_left(LeftAgents& list, const LeftAgents& more);

// `text`: an answer, or "". Unchanged if there are none, or if it would have more than `max_bytes`.
std::string with_left(std::string text, const LeftAgents& left, std::size_t max_bytes);

// The text of a record, of any content.
LeftAgents left_in(std::string_view text);

}  // namespace edge_shell
