// A submitted task that the engine does not know any more: it has lost a record that it had acknowledged.
#include "submitter_side_events.hpp"

namespace {

// The engine has known the task, and knows nothing of it for a lease.
SubmitterEdge missing() {
    SubmitterEdge edge;
    edge.published();
    edge.find({}, false);
    CHECK_FALSE(edge.has<Search>());
    edge.find({}, false);
    CHECK(edge.only_one<Search>().task == "t");
    CHECK_FALSE(edge.has<Publish>());
    return edge;
}

void reply(SubmitterEdge& edge, Trace trace) {
    edge.feed(Searched{"t", edge.task().request, trace});
}

void search_to_the_end(SubmitterEdge& edge) {
    RequestId request = edge.task().request;
    for (int times = 0; times < 5; ++times) {
        edge.wait(2s);
        CHECK(edge.only_one<Search>().request == request);
    }
    edge.wait(2s);
    CHECK_FALSE(edge.has<Search>());
}

Trace traced(SubmitterEdge& edge) {
    edge.feed(Sought{5, "t", "w"});
    auto reply = edge.only_one<TraceReply>();
    CHECK(reply.question == 5);
    return reply.trace;
}

}  // namespace

TEST_CASE("a task that no edge knows either is published again, with a warning to whoever gets it") {
    SubmitterEdge edge = missing();
    search_to_the_end(edge);
    CHECK(edge.only_one<Publish>().is_repeated);
    CHECK(edge.only_one<Note>().was_lost);
    CHECK(edge.state.statistics.published_again == 1);
}

TEST_CASE("a task that an edge has is not published again") {
    SubmitterEdge edge = missing();
    reply(edge, Trace::held);
    CHECK(edge.actions.empty());
    edge.find({5, claimed}, true);
    edge.feed(Noticed{"t", {6, processed}});
    CHECK_FALSE(edge.only_one<Answer>().was_lost);
    CHECK(edge.state.statistics.published_again == 0);
}

TEST_CASE("a task that stays missing is searched for anew") {
    SubmitterEdge edge = missing();
    reply(edge, Trace::held);
    edge.find({}, false);
    CHECK_FALSE(edge.has<Search>());
    edge.find({}, false);
    CHECK(edge.has<Search>());
}

TEST_CASE("a task that an edge has ended, and whose outcome is lost, is answered so, and not done again") {
    SubmitterEdge edge = missing();
    reply(edge, Trace::ended);
    search_to_the_end(edge);
    CHECK(edge.only_one<Write>().entry.outcome == Outcome::agent_lost);
    edge.written(WriteResult::written, 7);
    CHECK(edge.only_one<Answer>().outcome == Outcome::agent_lost);
}

TEST_CASE("a submitter's edge that was suspended while it searched begins anew") {
    SubmitterEdge edge = missing();
    reply(edge, Trace::ended);
    edge.wait(5s);
    CHECK(edge.has<Search>());
    search_to_the_end(edge);
    CHECK(edge.has<Publish>());
}

TEST_CASE("what becomes known of a task during the search counts") {
    SubmitterEdge edge = missing();
    SECTION("its outcome") {
        edge.feed(Noticed{"t", {6, processed}});
        CHECK(edge.only_one<Answer>().outcome == Outcome::processed);
        edge.feed(Searched{"t", edge.task().request, Trace::held});
        CHECK(edge.actions.empty());
    }
    SECTION("its claim") {
        edge.feed(Noticed{"t", {6, claimed}});
        edge.find({6, claimed}, true);
        edge.find({6, claimed}, true);
        CHECK_FALSE(edge.has<Search>());
        CHECK_FALSE(edge.has<Publish>());
    }
}

TEST_CASE(
    "a task that is submitted again, and whose answer the engine has lost, may be done twice, and says so") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Noticed{"t", {4, processed}});
    CHECK_FALSE(edge.only_one<Answer>().was_lost);
    edge.feed(Consumed{"t"});
    edge.feed(Submitted{"t", {}});
    edge.find({}, true);
    CHECK(edge.only_one<Note>().was_lost);
    edge.feed(Noticed{"t", {8, processed}});
    CHECK(edge.only_one<Answer>().was_lost);
}

TEST_CASE("after a reconnection a task is looked at before it is searched for") {
    SubmitterEdge edge = missing();
    edge.feed(Disconnected{});
    edge.now += 60s;
    edge.feed(Connected{});
    edge.feed(LookedUp{"t", edge.task().request, {}});
    edge.wait();
    CHECK(edge.has<LookUp>());
    CHECK_FALSE(edge.has<Publish>());
}

TEST_CASE("when the whole store was lost, no edge is asked for each task") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Disconnected{});
    edge.feed(Connected{StoreId{2}});
    edge.find({}, false);
    edge.find({}, false);
    CHECK_FALSE(edge.only_one<Publish>().is_repeated);
}

TEST_CASE("a task whose claim the engine knows, but not its message, is published with a warning") {
    SubmitterEdge edge;
    CHECK_FALSE(edge.only_one<Publish>().is_repeated);
    edge.published();
    edge.find({1, claimed}, false);
    edge.find({1, claimed}, false);
    CHECK(edge.only_one<Publish>().is_repeated);
}

TEST_CASE("a submitter's edge that knows a task's owner says so to who searches, and restores its claim") {
    SubmitterEdge edge;
    edge.published();
    CHECK(traced(edge) == Trace::awaited);
    edge.feed(Noticed{"t", {4, claimed}});
    CHECK(traced(edge) == Trace::held);
    edge.find({}, true);
    CHECK(edge.only_one<Write>().entry.owner == worker);
}

TEST_CASE("a submitter's edge says that a task is over while its record is kept") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Noticed{"t", {4, processed}});
    CHECK(traced(edge) == Trace::over);
    edge.feed(Consumed{"t"});
    edge.wait();
    CHECK(traced(edge) == Trace::over);
    edge.removed();
    CHECK(traced(edge) == Trace::over);
    edge.wait();
    edge.removed();
    CHECK_FALSE(edge.is_known());
    CHECK(traced(edge) == Trace::none);
}

TEST_CASE("a task that is submitted again after its withdrawal is not over") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Withdrawn{"t"});
    CHECK(traced(edge) == Trace::none);
    edge.written(WriteResult::written, 1);
    CHECK(traced(edge) == Trace::over);
    edge.feed(Submitted{"t", {}});
    CHECK(traced(edge) == Trace::awaited);
}

TEST_CASE("an owner that was asked before the connection was lost is asked again before it is called lost") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Noticed{"t", {1, claimed}});
    while (!edge.has<Ask>())
        edge.find({1, claimed}, true);
    edge.feed(Disconnected{});
    edge.now += 60s;
    edge.feed(Connected{});
    edge.feed(LookedUp{"t", edge.task().request, {}});
    edge.wait();
    CHECK_FALSE(edge.has<Write>());
    CHECK(edge.has<LookUp>());
}
