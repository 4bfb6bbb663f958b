// What the tests of an edge's submitters' side share: an edge "s" with a submitted task "t".
#pragma once

#include "../actions.hpp"
#include "edge/submitter_side.hpp"

#include <catch2/catch.hpp>

using namespace edge;
using namespace edge::submitter_side;
using namespace std::chrono_literals;

inline const Time start{};

inline const Author worker{"w", {99, 1}};
inline const Entry claimed{EntryKind::claimed, worker, worker};
inline const Entry processed{EntryKind::outcome, worker};

struct SubmitterEdge {
    State state{};
    Time now = start;
    std::vector<Action> actions{};  // of the last event

    explicit SubmitterEdge() {
        state.config = {"s", 3};
        feed(Connected{});
        feed(Submitted{"t", {}});
    }

    const std::vector<Action>& feed(const Event& event) {
        actions = apply(state, event, now);
        return actions;
    }
    void wait(Duration span) {
        now += span;
        feed(TimePassed{});
    }
    // Until something is due.
    void wait() {
        REQUIRE(next_deadline(state));
        now = *next_deadline(state);
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

    bool is_known() const { return state.submissions.contains("t"); }
    Submission& task() { return state.submissions.at("t"); }
    void published(PublishResult result = PublishResult::queued) {
        feed(Published{"t", task().request, result});
    }
    void written(WriteResult result, Version version = 0) {
        feed(Written{"t", task().request, result, version});
    }
    void removed() { feed(Removed{"t", task().request, true}); }
    // Waits for the next look, which finds this.
    void find(const Record& record, bool is_queued, bool is_passed_over = false) {
        if (!has<LookUp>()) wait();
        CHECK(only_one<LookUp>().with_queue);
        feed(LookedUp{"t", task().request, Found{record, is_queued, is_passed_over}});
    }
};
