// A task's labels that no agent of the pool has: told to the submitter over the socket, if it has asked for
// that (docs/troupe-protocol.md, "Labels"), and described for people. Pure.
#pragma once

#include "base/labels.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// Daemon to submitter, in addition to the answer: for 30 s no agent has had all labels of the task.
struct Unmatched {
    std::string id;  // of the submission
    base::Labels
        missing;  // of its labels, those that no agent has; none if each has an agent, but no agent has all
    std::string away = {};  // of the agents that fit it and are away, for people (away_text); may be empty
};

std::string to_json(const Unmatched& unmatched);
// Nothing if the frame is something else.
std::optional<Unmatched> parse_unmatched(std::string_view frame);

// What no agent has, for people: "the label gpu", "the labels big, gpu", "all of the labels big, gpu".
// `labels`: all labels of the task.
std::string missing_text(const base::Labels& labels, const base::Labels& missing);

}  // namespace pool_protocol
