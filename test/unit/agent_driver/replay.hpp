// Feeds a conversation with what a real program has printed, and tells what came of it.
#pragma once

#include "agent_driver/conversation.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace replay {

// A file of recorded/: one object a line. {"from": …} is a line of stdout, {"text": "…"} is one that is not
// JSON, {"repair": "…"} and {"interrupt": true} are calls, {"exit": 0, "signal": 0} is the end.
std::vector<std::string> recording(std::string_view name);

// Settings as those of the recordings: the directory is /project, and everything else is the default.
agent_driver::Settings settings(agent_driver::AgentKind kind);

agent_driver::Prompt prompt();

// Actions as text: "session ID MODEL", "activity TURN TEXT", "usage INPUT CACHED OUTPUT USD", "answer TEXT",
// "failure KIND UNTIL: MESSAGE", and "send" for a line that is sent.
std::vector<std::string> described(const agent_driver::Actions& actions);

// Gives one line of a recording to `conversation`.
agent_driver::Actions feed(agent_driver::Conversation& conversation, std::string_view line,
                           agent_driver::Time now = {});

// A whole recording.
std::vector<std::string> played(agent_driver::AgentKind kind, std::string_view name);

// The actions of these lines of stdout, in a new conversation.
std::vector<std::string> played_lines(agent_driver::AgentKind kind, const std::vector<std::string>& lines);

}  // namespace replay
