// A task as it travels over an engine: the submitter's request as text, and what an agent's host needs of it.
// Pure.
#pragma once

#include "base/error.hpp"
#include "edge/engine.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace edge_shell {

struct Work {
    std::string content;          // JSON, of the submission
    std::string schema;           // of the response; empty if there is none
    bool wants_failures = false;  // as in pool_protocol::Request
    bool wants_activity = false;  // the same
    edge::Queue queue;
};

std::string to_body(const Work& work);
// `body` may be of any content.
base::Result<Work> parse_body(std::string_view body);

// The task's timeout, counted from its assignment to an agent; none if the task does not name one.
std::optional<edge::Duration> timeout_of(const Work& work);

}  // namespace edge_shell
