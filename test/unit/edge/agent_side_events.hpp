// What the tests of an edge's agents' side share: an edge "e" with idle agents, and what happens to it.
#pragma once

#include "../actions.hpp"
#include "edge/agent_side.hpp"

#include <catch2/catch.hpp>

using namespace edge;
using namespace edge::agent_side;
using namespace std::chrono_literals;

inline const Time start{};

inline base::Labels labels(std::vector<std::string> texts) {
    return *base::Labels::of(std::move(texts));
}

inline Author other(const EdgeId& name, std::uint64_t number = 1) {
    return {name, {99, number}};
}

inline Entry claimed_by(const Author& author) {
    return {EntryKind::claimed, author, author};
}

struct AgentEdge {
    State state{};
    Time now = start;
    std::vector<Action> actions{};  // of the last event

    explicit AgentEdge(std::size_t idle = 1, std::vector<Queue> queues = {{}}) {
        state.config = {"e", 7};
        feed(Queues{std::move(queues)});
        feed(Idle{{{{}, idle}}});
        feed(Connected{});
    }

    const std::vector<Action>& feed(const Event& event) {
        actions = apply(state, event, now);
        return actions;
    }
    void wait(Duration span) {
        now += span;
        feed(TimePassed{});
    }
    template<class A>
    A only_one() const {
        auto found = only<A>(actions);
        REQUIRE(found.size() == 1);
        return found[0];
    }
    template<class A>
    bool has() const {
        return !only<A>(actions).empty();
    }

    // A delivery in response to the pull that was sent last.
    void deliver(const TaskId& task = "t", const Delivery& delivery = "d1",
                 std::optional<Duration> timeout = {}) {
        auto& [id, pull] = *state.pulls.rbegin();
        feed(Delivered{id, task, delivery, pull.queue, timeout});
    }
    void deliver_again() {
        auto& [id, pull] = *state.pulls.rbegin();
        feed(Delivered{id, "t", "d1", pull.queue, {}, true});
    }
    RequestId request(const TaskId& task = "t") const { return state.tasks.at(task).request; }
    Author me(const TaskId& task = "t") const { return {"e", state.tasks.at(task).nonce}; }
    void written(WriteResult result, Version version = 0, const TaskId& task = "t") {
        feed(Written{task, request(task), result, version});
    }
    void looked_up(const Record& record, const TaskId& task = "t") {
        feed(LookedUp{task, request(task), Found{record}});
    }
    // The record allows a claim: it is looked at whether "t" was published anew since the delivery.
    void seen_in_queue(const Record& record, bool is_current = true) {
        CHECK(only_one<LookUp>().delivery == state.tasks.at("t").delivery);
        CHECK_FALSE(has<Write>());
        feed(LookedUp{"t", request(), Found{record, false, false, is_current}});
    }
    // "t" is claimed, and an agent has it.
    void work() {
        deliver();
        written(WriteResult::written, 1);
        REQUIRE(only_one<Assign>().task == "t");
        feed(Idle{{}});
    }
};
