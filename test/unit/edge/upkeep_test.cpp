// A submitted task until its answer, whatever the engine loses of it.
#include "submitter_side_events.hpp"

TEST_CASE("a task is noted, published, and answered when its outcome is noticed") {
    SubmitterEdge edge;
    REQUIRE(std::holds_alternative<Note>(edge.actions.at(0)));
    REQUIRE(std::holds_alternative<Publish>(edge.actions.at(1)));
    edge.published();
    edge.feed(Noticed{"t", {1, claimed}});
    CHECK(edge.actions.empty());
    edge.feed(Noticed{"t", {2, processed}});
    CHECK(edge.only_one<Answer>().outcome == Outcome::processed);
    CHECK_FALSE(edge.only_one<Answer>().was_lost);
}

TEST_CASE("a task is answered once, however often its outcome is noticed or found") {
    SubmitterEdge edge;
    RequestId request = edge.task().request;
    edge.feed(Noticed{"t", {2, processed}});
    CHECK(edge.has<Answer>());
    edge.feed(Noticed{"t", {2, processed}});
    CHECK(edge.actions.empty());
    edge.feed(Published{"t", request, PublishResult::refused});
    CHECK(edge.actions.empty());
    edge.feed(Submitted{"u", {}});
    edge.feed(Noticed{"v", {2, processed}});
    CHECK(edge.actions.empty());
}

TEST_CASE("a publication with an unknown result is repeated, if the engine does not have the task") {
    SubmitterEdge edge;
    edge.published(PublishResult::unknown);
    SECTION("it has not") {
        edge.find({}, false);
        CHECK(edge.has<Publish>());
    }
    SECTION("it has") {
        edge.find({}, true);
        CHECK_FALSE(edge.has<Publish>());
    }
    SECTION("somebody has it already") {
        edge.find({1, claimed}, true);
        CHECK_FALSE(edge.has<Publish>());
    }
    SECTION("it is done") {
        edge.find({2, processed}, false);
        CHECK(edge.has<Answer>());
    }
    SECTION("nor is that known") {
        edge.feed(LookedUp{"t", edge.task().request, {}});
        edge.wait();
        CHECK(edge.has<LookUp>());
    }
}

TEST_CASE("an engine that says at once that it stores nothing is asked again less and less often") {
    SubmitterEdge edge;
    for (Duration expected : {5s, 10s, 20s, 30s, 30s}) {
        Time before = edge.now;
        edge.published(PublishResult::unknown);
        CHECK(edge.actions.empty());
        edge.find({}, false);
        CHECK(edge.now - before == expected);
        CHECK(edge.has<Publish>());
    }
}

TEST_CASE("a publication whose result did not come in time is looked up at once") {
    SubmitterEdge edge;
    edge.now += 5s;
    edge.published(PublishResult::unknown);
    CHECK(edge.has<LookUp>());
}

TEST_CASE("a task that the engine will never accept is invalid") {
    SubmitterEdge edge;
    edge.published(PublishResult::refused);
    CHECK(edge.only_one<Answer>().outcome == Outcome::invalid);
}

TEST_CASE("an outcome whose notice was lost is found by looking, at intervals that grow to a lease") {
    SubmitterEdge edge;
    edge.published();
    for (Duration expected : {5s, 10s, 20s, 30s, 30s}) {
        Time before = edge.now;
        edge.find({}, true);
        CHECK(edge.now - before == expected);
    }
    edge.find({2, processed}, false);
    CHECK(edge.has<Answer>());
}

TEST_CASE("a task that the engine has lost is published again after a lease, and its answer says so") {
    SubmitterEdge edge;
    edge.published();
    edge.find({}, false);
    CHECK_FALSE(edge.has<Publish>());
    Time before = edge.now;
    edge.find({}, false);
    CHECK(edge.now - before == 30s);
    while (edge.has<Search>())  // for an edge that knows it
        edge.wait();
    CHECK(edge.has<Publish>());
    edge.published();
    edge.feed(Noticed{"t", {1, processed}});
    CHECK(edge.only_one<Answer>().was_lost);
}

TEST_CASE("if the engine has lost the record of a task that somebody had, the claim is restored") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Noticed{"t", {4, claimed}});
    edge.find({}, false);
    auto write = edge.only_one<Write>();
    CHECK(write.expected == 0);
    CHECK(write.entry.kind == EntryKind::claimed);
    CHECK(write.entry.author == worker);
    CHECK(write.entry.owner == worker);
    SECTION("so that whoever gets the task asks its owner") {
        edge.written(WriteResult::written, 1);
        edge.find({1, claimed}, false);
        edge.find({1, claimed}, false);
        CHECK(edge.has<Publish>());
    }
    SECTION("unless the owner was faster") {
        edge.written(WriteResult::refused);
        edge.find({2, processed}, false);
        CHECK(edge.has<Answer>());
    }
}

TEST_CASE("after the loss of the engine's store, an answer says that the task may have been done twice") {
    SubmitterEdge edge;
    edge.published();
    bool was_claimed = GENERATE(false, true);
    if (was_claimed) edge.feed(Noticed{"t", {4, claimed}});
    edge.feed(Disconnected{});
    edge.feed(Connected{StoreId{2}});
    CHECK(edge.only_one<Note>().was_lost);
    CHECK(edge.only_one<Note>().store == StoreId{2});
    SECTION("not if its only owner goes on") {
        edge.find({101, claimed}, true);
        edge.feed(Noticed{"t", {102, processed}});
        CHECK(edge.only_one<Answer>().was_lost != was_claimed);
    }
    SECTION("another has it") {
        Author stranger{"x", {88, 1}};
        edge.find({101, Entry{EntryKind::claimed, stranger, stranger}}, true);
        edge.feed(Noticed{"t", {102, Entry{EntryKind::outcome, stranger}}});
        CHECK(edge.only_one<Answer>().was_lost);
    }
    SECTION("the next process knows it as well") {
        Note note = edge.only_one<Note>();
        SubmitterEdge next;
        next.state.submissions.clear();
        next.feed(Recovered{"t", {}, note.store, note.was_lost});
        next.feed(Noticed{"t", {102, Entry{EntryKind::outcome, {"x", {88, 1}}}}});
        CHECK(next.only_one<Answer>().was_lost);
    }
}

TEST_CASE("a task whose publication may have reached a store that was lost is not published at once") {
    SubmitterEdge edge;
    edge.feed(Disconnected{});
    edge.feed(Connected{StoreId{2}});
    edge.find({}, false);
    CHECK_FALSE(edge.has<Publish>());
    edge.find({}, false);
    CHECK(edge.has<Publish>());
}

TEST_CASE("a claimed task that is not queued for a moment was settled in between") {
    SubmitterEdge edge;
    edge.published();
    edge.find({1, claimed}, false);
    CHECK_FALSE(edge.has<Publish>());
    edge.find({2, processed}, false);
    CHECK(edge.has<Answer>());
}

TEST_CASE("a released task that is not queued is published at once") {
    SubmitterEdge edge;
    edge.published();
    edge.find({2, Entry{EntryKind::released, worker}}, true);
    CHECK_FALSE(edge.has<Publish>());
    edge.find({2, Entry{EntryKind::released, worker}}, false);
    CHECK(edge.has<Publish>());
}

namespace {

// Nothing was heard of the owner for two minutes.
SubmitterEdge asking() {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Noticed{"t", {1, claimed}});
    Time claimed_at = edge.now;
    while (edge.now < claimed_at + 120s) {
        CHECK_FALSE(edge.has<Ask>());
        edge.find({1, claimed}, true);
    }
    CHECK(edge.only_one<Ask>().owner == worker);
    CHECK_FALSE(edge.only_one<Ask>().delivery);
    return edge;
}

}  // namespace

TEST_CASE("when no edge with an idle agent notices an owner's death, the submitter does") {
    SubmitterEdge edge = asking();
    SECTION("at once, if the edge has lost the task") {
        edge.feed(OwnerReplied{"t", edge.task().request, OwnerReply::has_not});
    }
    SECTION("after ten seconds, if it is silent") {
        edge.feed(OwnerReplied{"t", edge.task().request, OwnerReply::silent});
        for (int times = 0; times < 4; ++times) {
            edge.wait(2s);
            CHECK(edge.has<Ask>());
        }
        edge.wait(2s);
    }
    CHECK(edge.only_one<Write>().entry.outcome == Outcome::agent_lost);
}

TEST_CASE("an owner that lives has all the time that it needs") {
    SubmitterEdge edge = asking();
    Time asked_at = edge.now;
    edge.feed(OwnerReplied{"t", edge.task().request, OwnerReply::has});
    CHECK_FALSE(edge.has<Write>());
    while (edge.now < asked_at + 120s)
        edge.find({1, claimed}, true);
    CHECK(edge.has<Ask>());
}

TEST_CASE("an owner that is declared lost but has answered is not lost") {
    SubmitterEdge edge = asking();
    edge.feed(OwnerReplied{"t", edge.task().request, OwnerReply::has_not});
    SECTION("answered") {
        edge.written(WriteResult::refused);
        edge.find({2, processed}, false);
        CHECK(edge.only_one<Answer>().outcome == Outcome::processed);
        CHECK(edge.state.statistics.owners_lost == 0);
    }
    SECTION("lost") {
        edge.written(WriteResult::written, 2);
        CHECK(edge.only_one<Answer>().outcome == Outcome::agent_lost);
    }
}

TEST_CASE("after a reconnection every open task is looked up at once") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Disconnected{});
    CHECK_FALSE(next_deadline(edge.state));
    edge.feed(Connected{});
    CHECK(edge.has<LookUp>());
}

TEST_CASE("what is submitted without a connection is published in its order after it is back") {
    SubmitterEdge edge;
    edge.feed(Disconnected{});
    std::vector<TaskId> expected;
    for (int n = 9; n > 0; --n) {
        expected.emplace_back("u" + std::to_string(n));
        edge.feed(Submitted{expected.back(), {}});
        CHECK_FALSE(edge.has<Publish>());
    }
    edge.feed(Connected{});
    CHECK(edge.only_one<LookUp>().task == TaskId("t"));
    std::vector<TaskId> published;
    for (const Publish& publish : only<Publish>(edge.actions))
        published.push_back(publish.task);
    CHECK(published == expected);
}

TEST_CASE("what the loss of the connection has interrupted is looked up in the order in which it came") {
    SubmitterEdge edge;
    std::vector<TaskId> expected{"t"};
    for (int n = 9; n > 0; --n) {
        expected.emplace_back("u" + std::to_string(n));
        edge.feed(Submitted{expected.back(), {}});
    }
    edge.feed(Disconnected{});
    edge.feed(Connected{});
    std::vector<TaskId> looked;
    for (const LookUp& look : only<LookUp>(edge.actions))
        looked.push_back(look.task);
    CHECK(looked == expected);
}

namespace {

SubmitterEdge restarted(std::optional<StoreId> store = StoreId{}) {
    SubmitterEdge edge;
    edge.state.submissions.clear();
    edge.state.schedule = {};
    edge.feed(Disconnected{});
    edge.feed(Recovered{"t", {}, store});
    edge.feed(Connected{});
    CHECK(edge.has<LookUp>());
    return edge;
}

}  // namespace

TEST_CASE("a new process looks its noted tasks up, and answers those that are done") {
    SubmitterEdge edge = restarted();
    edge.find({1, processed}, false);
    CHECK(edge.has<Answer>());
}

TEST_CASE("what an earlier process has published nowhere is published at once, and not called lost") {
    SubmitterEdge edge = restarted(std::nullopt);
    edge.find({}, false);
    CHECK_FALSE(edge.has<Publish>());
    edge.feed(Submitted{"t", {}});
    edge.find({}, false);
    CHECK(edge.only_one<Note>().store == StoreId{});
    CHECK_FALSE(edge.only_one<Publish>().is_repeated);
    edge.published();
    edge.feed(Noticed{"t", {2, processed}});
    CHECK_FALSE(edge.only_one<Answer>().was_lost);
}

TEST_CASE("a new process publishes nothing until its submitters have come back") {
    SubmitterEdge edge = restarted();
    Record record = GENERATE(Record{}, Record{1, claimed}, Record{1, Entry{EntryKind::released, worker}},
                             Record{1, Entry{EntryKind::withdrawn, worker}});
    for (int times = 0; times < 5; ++times) {
        edge.find(record, false);
        CHECK_FALSE(edge.has<Publish>());
        CHECK_FALSE(edge.has<Write>());
    }
    edge.feed(Submitted{"t", {}});
    CHECK(edge.has<LookUp>());
    edge.find(record, false);
    if (!edge.has<Publish>() && !edge.has<Write>()) edge.find(record, false);
    while (edge.has<Search>())
        edge.wait();
    CHECK((edge.has<Publish>() || edge.has<Write>()));
}
