// Submitters of several edges wait for one task.
#include "submitter_side_events.hpp"

namespace {

// Published, and another edge has said that it has a submitter, too.
SubmitterEdge shared() {
    SubmitterEdge edge;
    edge.published();
    CHECK_FALSE(edge.has<Join>());
    edge.feed(Joined{"t"});
    return edge;
}

SubmitterEdge leaving() {
    SubmitterEdge edge = shared();
    edge.feed(Withdrawn{"t"});
    CHECK(edge.only_one<Search>().for_submitters);
    CHECK_FALSE(edge.has<Write>());
    return edge;
}

// At the beginning and at the end of the search.
void ask_to_the_end(SubmitterEdge& edge) {
    edge.wait(10s - 1ms);
    CHECK(edge.actions.empty());
    edge.wait(1ms);
    CHECK(edge.only_one<Search>().for_submitters);
    edge.wait(2s);
    CHECK_FALSE(edge.has<Search>());
}

Trace waits_on(SubmitterEdge& edge) {
    edge.feed(Sought{5, "t", "f", true});
    CHECK(edge.only_one<TraceReply>().question == 5);
    return edge.only_one<TraceReply>().trace;
}

}  // namespace

TEST_CASE("who finds that the queue holds the task already tells all edges, but not if it has been told so") {
    SubmitterEdge edge;
    SECTION("it has not") {
        edge.published(PublishResult::held);
        CHECK(edge.only_one<Join>().task == "t");
    }
    SECTION("it has") {
        edge.feed(Joined{"t"});
        edge.published(PublishResult::held);
        CHECK_FALSE(edge.has<Join>());
    }
}

TEST_CASE("a task for which a submitter of another edge waits is left to that") {
    SubmitterEdge edge = leaving();
    edge.feed(Searched{"t", edge.task().request, Trace::held});
    CHECK(edge.has<Forget>());
    CHECK_FALSE(edge.has<Write>());
    CHECK_FALSE(edge.has<Remove>());
    CHECK_FALSE(edge.is_known());
    CHECK_FALSE(next_deadline(edge.state));
}

TEST_CASE("a shared task for which nobody waits any more is withdrawn after all edges were asked") {
    SubmitterEdge edge = leaving();
    ask_to_the_end(edge);
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::withdrawn);
}

TEST_CASE("who withdraws a task before the queue has said whether it had it waits for that") {
    SubmitterEdge edge;
    SECTION("it had it") {
        edge.feed(Withdrawn{"t"});
        CHECK(edge.actions.empty());
        edge.published(PublishResult::held);
        CHECK(edge.only_one<Search>().for_submitters);
    }
    SECTION("it had not: nobody else can have it") {
        edge.feed(Withdrawn{"t"});
        edge.published();
        CHECK(edge.only_one<Write>().entry.kind == EntryKind::withdrawn);
    }
    SECTION("another edge has joined it meanwhile") {
        edge.feed(Withdrawn{"t"});
        edge.feed(Joined{"t"});
        edge.published();
        CHECK(edge.only_one<Search>().for_submitters);
    }
    SECTION("it says nothing") {
        edge.feed(Withdrawn{"t"});
        edge.wait(5s);
        CHECK(edge.only_one<Search>().for_submitters);
        ask_to_the_end(edge);
    }
    SECTION("what it said was lost, and the edge looks") {
        edge.wait(5s);
        REQUIRE(edge.has<LookUp>());
        edge.feed(Withdrawn{"t"});
        edge.feed(LookedUp{"t", edge.task().request, Found{{}, true}});
        CHECK(edge.only_one<Search>().for_submitters);
    }
    SECTION("the connection is lost") {
        edge.feed(Withdrawn{"t"});
        edge.feed(Disconnected{});
        edge.feed(Connected{});
        CHECK(edge.only_one<Search>().for_submitters);
    }
    SECTION("nothing was published yet") {
        edge.state = {};
        edge.feed(Submitted{"t", {}});
        edge.feed(Withdrawn{"t"});
        edge.feed(Connected{});
        CHECK_FALSE(edge.has<Search>());
    }
}

TEST_CASE("an edge that was suspended while it asked asks anew") {
    SubmitterEdge edge = leaving();
    edge.wait(15s);
    CHECK(edge.only_one<Search>().for_submitters);
    ask_to_the_end(edge);
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::withdrawn);
}

TEST_CASE("who submits a shared task again that is being left joins it, or has it done anew") {
    SubmitterEdge edge = leaving();
    edge.feed(Submitted{"t", {}});
    SECTION("somebody waits for it") {
        edge.feed(Searched{"t", edge.task().request, Trace::held});
        CHECK(edge.has<LookUp>());
        CHECK(edge.task().phase == Phase::waiting);
    }
    SECTION("nobody does") {
        ask_to_the_end(edge);
        CHECK(edge.only_one<Write>().entry.kind == EntryKind::withdrawn);
        edge.written(WriteResult::written, 1);
        edge.find({1, Entry{EntryKind::withdrawn, {}}}, false);
        CHECK(edge.only_one<Write>().entry.kind == EntryKind::reopened);
    }
    SECTION("and does not want it, either") {
        edge.feed(Withdrawn{"t"});
        edge.feed(Searched{"t", edge.task().request, Trace::held});
        CHECK_FALSE(edge.is_known());
    }
}

TEST_CASE("what becomes known of a task that is being left counts") {
    SubmitterEdge edge = leaving();
    SECTION("its owner") {
        edge.feed(Noticed{"t", {1, claimed}});
        CHECK(edge.actions.empty());
        ask_to_the_end(edge);
        CHECK(edge.only_one<Write>().expected == 1);
        CHECK(edge.only_one<Write>().entry.owner == worker);
    }
    SECTION("its end") {
        edge.feed(Noticed{"t", {1, processed}});
        CHECK(edge.has<NoteClosed>());
        CHECK_FALSE(edge.has<Answer>());
    }
    SECTION("its end, for who has submitted it again") {
        edge.feed(Submitted{"t", {}});
        edge.feed(Noticed{"t", {1, processed}});
        CHECK(edge.has<Answer>());
    }
}

TEST_CASE("edges are asked anew after a reconnection") {
    SubmitterEdge edge = leaving();
    edge.feed(Disconnected{});
    CHECK_FALSE(next_deadline(edge.state));
    edge.feed(Connected{});
    CHECK(edge.only_one<Search>().for_submitters);
    ask_to_the_end(edge);
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::withdrawn);
}

TEST_CASE("a notice that another edge has a submitter may have been missed") {
    SubmitterEdge edge;
    SECTION("by this process") {
        edge.published();
        edge.feed(Disconnected{});
    }
    SECTION("by an earlier one") {
        edge.state = {};
        edge.state.config = {"e", 7};
        edge.feed(Recovered{"t", {}, StoreId{}});
    }
    edge.feed(Connected{});
    edge.feed(Withdrawn{"t"});
    CHECK(edge.only_one<Search>().for_submitters);
}

TEST_CASE("who withdraws a task without a connection asks all edges when there is one") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Disconnected{});
    edge.feed(Withdrawn{"t"});
    CHECK(edge.actions.empty());
    edge.feed(Connected{});
    CHECK(edge.only_one<Search>().for_submitters);
}

TEST_CASE("an edge says whether its submitter waits") {
    SubmitterEdge edge = shared();
    CHECK(waits_on(edge) == Trace::held);
    SECTION("not if it is leaving, too: then both withdraw the task") {
        edge.feed(Withdrawn{"t"});
        CHECK(waits_on(edge) == Trace::none);
    }
    SECTION("not if the task is answered") {
        edge.feed(Noticed{"t", {2, processed}});
        CHECK(waits_on(edge) == Trace::none);
    }
    SECTION("also that of an earlier process, which may come back") {
        edge.state = {};
        edge.feed(Recovered{"t", {}, StoreId{}});
        CHECK(waits_on(edge) == Trace::held);
    }
}
