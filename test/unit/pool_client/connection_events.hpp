// What the tests of pool_client::connection share.
#pragma once

#include "../actions.hpp"
#include "pool_client/submit_connection.hpp"

#include <catch2/catch.hpp>

namespace connection_test {

using namespace pool_client::connection;
using namespace std::chrono_literals;

inline const Time start{};

// Which submissions the actions of one kind concern, in their order.
template<class A>
std::vector<SubmissionId> ids(const std::vector<Action>& actions) {
    std::vector<SubmissionId> found;
    for (const A& action : only<A>(actions))
        found.push_back(action.submission);
    return found;
}

using Ids = std::vector<SubmissionId>;

inline State with(Transport transport, bool outlives_pool = true) {
    State state;
    state.settings = {transport, 10s, outlives_pool};
    return state;
}

inline State automatic(bool outlives_pool = true) {
    return with(Transport::automatic, outlives_pool);
}

// A submitter that has found the pool, whose submissions `sent` are under way.
inline State connected(Route route, const Ids& sent = {}, bool outlives_pool = true) {
    State state = automatic(outlives_pool);
    for (const SubmissionId& id : sent)
        apply(state, Submitted{id}, start);
    apply(state, PoolFound{route}, start);
    return state;
}

inline Answered answered(const SubmissionId& id) {
    return Answered{id, false};
}

inline Answered stopped(const SubmissionId& id) {
    return Answered{id, true};
}

}  // namespace connection_test
