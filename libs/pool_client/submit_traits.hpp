// What a submission asks of its agent. Plain data.
#pragma once

#include "base/labels.hpp"
#include "pool_protocol/agent_activity.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace pool_client {

// Not an aggregate, because it travels through coroutines (see pool_protocol::Request).
struct SubmitTraits {
    SubmitTraits() = default;
    explicit SubmitTraits(base::Labels needed, std::string schema = {})
        : labels(std::move(needed)), response_schema(std::move(schema)) {}

    base::Labels labels;  // only an agent that has all of them gets the task
    std::string
        response_schema;        // the text of a JSON Schema, for agents that want it; empty if there is none
    std::int32_t priority = 0;  // see pool_protocol::Request
    // Called when the agent tells what it does, or has given the task back; never over files. May be empty.
    std::function<void(const pool_protocol::TaskActivity&)> on_activity;
};

}  // namespace pool_client
