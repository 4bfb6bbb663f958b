// What the tests of the pool's machine share.
#pragma once

#include "../actions.hpp"
#include "pool/machine.hpp"

#include <catch2/catch.hpp>

using namespace pool;
using namespace std::chrono_literals;

inline const Time start{};

// What `actions` give to `agent`; "" if nothing.
inline SubmissionId assigned_to(const std::vector<Action>& actions, const AgentId& agent) {
    for (const Assign& action : only<Assign>(actions))
        if (action.agent == agent) return action.submission;
    return "";
}
