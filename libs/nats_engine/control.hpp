// What edges say to each other over the engine, as JSON. Pure.
//
//   {"kind":"ask","task":"t1","nonce":"8127368-12","delivery":"$JS.ACK.…"}, answered by {"has":true}
//   {"kind":"search","task":"t1","edge":"h1"}, answered by edges that know something of the task:
//   {"trace":"held"}
//   {"kind":"waits","task":"t1","edge":"h1"}, answered so by edges whose submitters wait for the task
//   {"kind":"join","task":"t1"}: more than one edge may have a submitter for it
//   {"kind":"check","task":"t1"}
//   {"kind":"queues","edge":"h1"}: that edge has created one
//   {"kind":"status"}, answered by each with what it says of itself
#pragma once

#include "edge/engine.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace nats_engine {

struct Asking {
    edge::TaskId task;
    edge::Nonce nonce;
    std::optional<edge::Delivery> delivery;
};
struct Searching {
    edge::TaskId task;
    edge::EdgeId seeker;
    bool for_submitters = false;
};
struct Joining {
    edge::TaskId task;
};
struct Checking {
    edge::TaskId task;
};
struct MoreQueues {
    edge::EdgeId edge;
};
struct AskingAll {};
using Control = std::variant<Asking, Searching, Joining, Checking, MoreQueues, AskingAll>;

std::string control_text(const Control& control);
// `text` may be of any content. Empty if it is none of these.
std::optional<Control> parse_control(std::string_view text);

std::string answer_text(bool has);
std::optional<bool> parse_answer(std::string_view text);

std::string trace_text(edge::Trace trace);
std::optional<edge::Trace> parse_trace(std::string_view text);

}  // namespace nats_engine
