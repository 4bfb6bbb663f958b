// What the tests of pool::delivery share.
#pragma once

#include "../actions.hpp"
#include "pool/delivery.hpp"

#include <catch2/catch.hpp>

namespace delivery_test {

using namespace pool::delivery;
using namespace std::chrono_literals;
using pool::SubmissionId;
using pool::Time;

inline const Time start{};
inline constexpr Peer alice{1};
inline constexpr Peer bob{2};
inline constexpr AnswerDetails failures{false, true};

// Submitted by `peer` with an id of its own.
inline Asked asked(const SubmissionId& id, Peer peer, AnswerDetails options = {}) {
    return Asked{id, peer, true, options};
}

// Submitted without one; `id` is the daemon's.
inline Asked asked_anonymously(const SubmissionId& id, Peer peer) {
    return Asked{id, peer, false, {}};
}

// Whom the answer goes to.
inline std::vector<Peer> receivers(const std::vector<Action>& actions) {
    auto sent = only<Send>(actions);
    return sent.empty() ? std::vector<Peer>() : sent.front().peers;
}

// What the answer is written for; nothing if it isn't.
inline std::optional<WriteReason> written_for(const std::vector<Action>& actions) {
    auto written = only<WriteResponse>(actions);
    return written.empty() ? std::nullopt : std::optional(written.front().reason);
}

// All that is due by `now`.
inline std::vector<Action> pass_time(State& state, Time now) {
    std::vector<Action> all;
    while (next_deadline(state) && *next_deadline(state) <= now)
        for (Action& action : apply(state, TimePassed{}, now))
            all.push_back(std::move(action));
    return all;
}

}  // namespace delivery_test
