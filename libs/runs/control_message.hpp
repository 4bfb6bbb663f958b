// The messages between a living run and the commands that show or change it, as JSON in frames over the
// socket in its directory (docs/runs.md, "The control socket"). Pure.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace runs {

inline constexpr const char* control_socket_name = "control.sock";
inline constexpr std::size_t longest_request = 16 << 20;  // bytes: a person's answer may be a long text
inline constexpr std::size_t longest_message = 16 << 20;  // bytes

// Asks to be shown the progress of the run from now on, until the connection ends. Sent again when the size
// of the terminal has changed.
struct Attach {
    enum class Mode { table, plain, json, state };
    Mode mode = Mode::plain;
    std::size_t columns = 80;
    std::size_t rows = 24;
    bool colored = false;

    friend bool operator==(const Attach&, const Attach&) = default;
};

// `paused`: nothing new starts; what runs goes on. Otherwise the run continues.
struct Pause {
    bool paused = true;

    friend bool operator==(const Pause&, const Pause&) = default;
};

// Changes the number of local processes at once, or that of the run's agents of a kind, or both.
struct Scale {
    std::optional<std::size_t> jobs = {};  // at least 1
    std::optional<std::size_t> agents = {};
    std::string agent_kind = {};  // "claude"; may be empty if all agents are of one group

    friend bool operator==(const Scale&, const Scale&) = default;
};

// What a person answers to a task of a Human step.
struct HumanAnswer {
    std::uint64_t task = 0;
    std::string user;                          // who answers
    std::optional<std::string> response = {};  // a JSON array of tasks; empty: the task is rejected
    std::string reason = {};                   // why it is rejected

    friend bool operator==(const HumanAnswer&, const HumanAnswer&) = default;
};

using ControlRequest = std::variant<Attach, Pause, Scale, HumanAnswer>;

std::string to_json(const ControlRequest& request);
// Fails if the text is no request, or one that this version does not know.
base::Result<ControlRequest> parse_control_request(std::string_view text);

// The table, in place of the one before.
struct Table {
    std::vector<std::string> lines;
    friend bool operator==(const Table&, const Table&) = default;
};
// Lines for the viewer, each with its newline.
struct Text {
    std::string text;
    friend bool operator==(const Text&, const Text&) = default;
};
// The progress at one moment (progress/state.hpp), in place of the one before.
struct State {
    std::string state;  // a JSON object
    friend bool operator==(const State&, const State&) = default;
};
// The reply to a Pause or Scale, or to a request that is not valid.
struct Reply {
    bool is_refused = false;
    std::string message;
    friend bool operator==(const Reply&, const Reply&) = default;
};
// The run has ended. The last message.
struct Ended {
    int exit_code = 0;
    friend bool operator==(const Ended&, const Ended&) = default;
};

using ControlMessage = std::variant<Table, Text, State, Reply, Ended>;

std::string to_json(const ControlMessage& message);
// None if the text is not a message that this version knows.
std::optional<ControlMessage> parse_control_message(std::string_view text);

}  // namespace runs
