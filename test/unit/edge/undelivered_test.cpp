// A submitted task that the engine has in its queue, but does not deliver.
#include "submitter_side_events.hpp"

namespace {

const Record nothing{};

// Looks until the task is taken out of its queue, and replies to searches; returns after how long.
Duration passed_over(SubmitterEdge& edge, const Record& record, std::optional<Trace> reply = {}) {
    const Time begin = edge.now;
    edge.find(record, true, true);
    while (!edge.has<Remove>() && !edge.has<Write>()) {
        if (edge.has<Search>()) {
            if (reply) edge.feed(Searched{"t", edge.task().request, *std::exchange(reply, std::nullopt)});
            edge.wait();
        } else {
            edge.find(record, true, true);
        }
        REQUIRE(edge.now < begin + 300s);
    }
    return edge.now - begin;
}

}  // namespace

TEST_CASE("a queued task that was handed back, and is not delivered for two leases, is published again") {
    SubmitterEdge edge;
    edge.published();
    Record record{3, Entry{GENERATE(EntryKind::released, EntryKind::reopened), worker}};
    CHECK(passed_over(edge, record) >= 60s);
    CHECK_FALSE(edge.has<Publish>());
    edge.removed();
    CHECK(edge.only_one<Publish>().is_repeated);
    CHECK(edge.state.statistics.published_again == 1);
    edge.published();
    edge.feed(Noticed{"t", {6, processed}});
    CHECK_FALSE(edge.only_one<Answer>().was_lost);
}

TEST_CASE("a queued task without a record that is not delivered is searched for, and published again") {
    SubmitterEdge edge;
    edge.published();
    SECTION("nobody knows of it") {
        Duration span = passed_over(edge, nothing);
        CHECK(span >= 30s);
        CHECK(span <= 60s);
        edge.removed();
        CHECK(edge.only_one<Publish>().is_repeated);
        CHECK(edge.state.statistics.published_again == 1);
        edge.published();
        edge.feed(Noticed{"t", {6, processed}});
        CHECK(edge.only_one<Answer>().was_lost);
    }
    SECTION("an edge has ended it") {
        passed_over(edge, nothing, Trace::ended);
        CHECK(edge.only_one<Write>().entry.outcome == Outcome::agent_lost);
    }
    SECTION("an edge has it") {
        CHECK(passed_over(edge, nothing, Trace::held) >= 60s);
    }
}

TEST_CASE("a queued task stays there") {
    SubmitterEdge edge;
    edge.published();
    SECTION("while no agent waits for tasks of its queue") {
        for (int times = 0; times < 20; ++times)
            edge.find(nothing, true, false);
    }
    SECTION("if agents wait for it only now and then") {
        for (int times = 0; times < 20; ++times)
            edge.find(nothing, true, times % 2 == 0);
    }
    SECTION("while an agent has it") {
        for (int times = 0; times < 3; ++times)
            edge.find({3, claimed}, true, true);
    }
    CHECK_FALSE(edge.has<Remove>());
    CHECK(edge.state.statistics.published_again == 0);
}

TEST_CASE("a task that is taken out of its queue to be published again is not lost if the result is") {
    SubmitterEdge edge;
    edge.published();
    passed_over(edge, nothing);
    edge.feed(Disconnected{});
    edge.now += 60s;
    edge.feed(Connected{});
    SECTION("it is there still") {
        passed_over(edge, nothing);
        edge.removed();
    }
    SECTION("it is gone") {
        while (!edge.has<Search>())
            edge.find(nothing, false);
        while (edge.has<Search>())
            edge.wait();
    }
    CHECK(edge.only_one<Publish>().is_repeated);
}

TEST_CASE("a task that is withdrawn while it is taken out of its queue is not published again") {
    SubmitterEdge edge;
    edge.published();
    passed_over(edge, nothing);
    RequestId request = edge.task().request;
    edge.feed(Withdrawn{"t"});
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::withdrawn);
    edge.feed(Removed{"t", request, true});
    CHECK_FALSE(edge.has<Publish>());
}
