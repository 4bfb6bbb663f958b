// What an agent does now at its task, and what the task has used so far: an addition to the protocol
// (docs/troupe-protocol.md, "Activity"). Pure.
#pragma once

#include "json/json.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// The numbers are totals of the agent's work on this task so far, and have the meaning that they have in
// AgentReport.
struct AgentActivity {
    static constexpr std::size_t max_text = 200;  // bytes

    std::string text = {};  // "Edit libs/a.cpp", on one line; empty if it is not known
    int turn = 0;           // 0 if the agent does not tell
    std::uint64_t input_tokens = 0;
    std::uint64_t cached_tokens = 0;
    std::uint64_t output_tokens = 0;
    std::optional<double> usd = {};
    std::string price_list = {};  // by which `usd` is an estimate
    std::uint64_t since = 0;      // when that work has begun, Unix time in ms; 0 if it is not known
    // Of an agent that has left its task.
    std::string kind = {};  // of its program; empty if it is not known
    int repairs = 0;

    friend bool operator==(const AgentActivity&, const AgentActivity&) = default;
};

// One object on one line. The text is cut to `max_text`, and the numbers to what parse_activity() accepts.
std::string to_json(const AgentActivity& activity);

// Nothing if `value` is not an object, if a member has the wrong type, or if the text or a number is too
// large. Control characters in the text become spaces. Unknown members are ignored.
std::optional<AgentActivity> parse_activity(json::View value);

// For people: "Edit libs/a.cpp · turn 7 · about $0.31"; what is not known is left out. May contain characters
// that a terminal must not get.
std::string activity_text(const AgentActivity& activity);

// Daemon to a submitter that has asked for it: what the agent that has the submission does.
struct TaskActivity {
    std::string id;                         // of the submission
    std::string agent;                      // its name, or its id
    std::optional<AgentActivity> activity;  // nothing: this agent does not have the task any more
    // Then: what it has used in all, if that is known. Without a text.
    std::optional<AgentActivity> used = std::nullopt;

    friend bool operator==(const TaskActivity&, const TaskActivity&) = default;
};
std::string to_json(const TaskActivity& task);
// Nothing if the frame is something else.
std::optional<TaskActivity> parse_task_activity(std::string_view frame);

}  // namespace pool_protocol
