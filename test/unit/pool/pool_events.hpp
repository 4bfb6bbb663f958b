// What the tests of the pool's machine share.
#pragma once

#include "pool/machine.hpp"

#include <catch2/catch.hpp>

using namespace pool;
using namespace std::chrono_literals;

inline const Time start{};

template<class A>
std::vector<A> only(const std::vector<Action>& actions) {
    std::vector<A> found;
    for (const Action& action : actions)
        if (const auto* match = std::get_if<A>(&action)) found.push_back(*match);
    return found;
}

// What `actions` give to `agent`; "" if nothing.
inline SubmissionId assigned_to(const std::vector<Action>& actions, const AgentId& agent) {
    for (const Assign& action : only<Assign>(actions))
        if (action.agent == agent) return action.submission;
    return "";
}
