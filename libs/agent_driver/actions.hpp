// What a conversation asks for or reports.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace agent_driver {

// Write `line` and a newline to the program's stdin.
struct Send {
    std::string line;
};

// The program has begun a session of its own, under this id.
struct Session {
    std::string id;
    std::string model;  // empty if the program does not tell
};

// What the agent is doing, on one line, for people: "Edit libs/a.cpp".
struct Activity {
    std::string text;
    int turn = 0;  // the number of requests to the model so far; over ACP, which does not tell, of tool calls
};

// Totals of the whole conversation so far.
struct Usage {
    std::uint64_t input = 0;   // tokens that the model has read, including the cached ones
    std::uint64_t cached = 0;  // those of `input` that came from the provider's cache
    std::uint64_t output = 0;
    std::optional<double> usd;  // if the program has told a price so far
    int turns = 0;              // requests to the model; 0 if the program does not tell
    int repairs = 0;            // answers that the program itself has sent back to the model
};

// The model was not let do something.
struct Denied {
    std::string tool;  // its name, or what it was to do
    std::string by;    // who did not let it: "claude"; "permissions" if it was the driver
};

// The agent's response: the array of tasks, if there is one in what it said, or else all that it said.
// The program waits: either repair() the conversation, or close the program's stdin.
struct Answer {
    std::string text;
};

enum class FailureKind {
    usage_limit,  // the account has used up its quota or its rate
    overloaded,   // the provider or the network failed, and the program's own retries as well
    not_ready,    // not logged in, no credit, unknown model, a program that does not start or is too old
    too_large,    // the prompt or the answer is larger than the model can take
    budget,       // max_usd was reached
    turn_limit,   // max_turns was reached
    images,       // an image of the task cannot be given to the model
    refusal,      // the provider's policy forbids the request
    interrupted,  // interrupt() took effect
    stalled,      // the program was silent for longer than Settings::stall
    no_answer,    // the program ended, or gave up, without an answer
    crashed,      // the program ended with an exit code or by a signal of its own
    killed,       // somebody ended the program with a signal
    error,        // the program reported another error
};
std::string_view failure_name(FailureKind kind);  // "usage_limit"

// The conversation is over: end the program.
struct Failure {
    FailureKind kind = FailureKind::error;
    std::string message;                            // what the program said about it, as plain text
    std::optional<std::chrono::sys_seconds> until;  // when a usage limit ends, if the program told
    // How long nobody is to try again, if the program told that.
    std::optional<std::chrono::seconds> wait = std::nullopt;
};

using Action = std::variant<Send, Session, Activity, Usage, Denied, Answer, Failure>;
using Actions = std::vector<Action>;

}  // namespace agent_driver
