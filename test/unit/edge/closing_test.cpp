// Withdrawal, submitting again, and what is tidied after an answer.
#include "submitter_side_events.hpp"

namespace {

SubmitterEdge answered() {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Noticed{"t", {2, processed}});
    REQUIRE(edge.has<Answer>());
    return edge;
}

SubmitterEdge withdrawn() {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Noticed{"t", {1, claimed}});
    edge.feed(Withdrawn{"t"});
    return edge;
}

}  // namespace

TEST_CASE("a consumed task is removed from its queue when no publication of it can arrive any more") {
    SubmitterEdge edge = answered();
    CHECK_FALSE(next_deadline(edge.state));
    edge.feed(Consumed{"t"});
    CHECK(edge.has<NoteClosed>());
    CHECK_FALSE(edge.has<Remove>());
    edge.wait();
    CHECK(edge.now == start + 30s);
    CHECK(edge.has<Remove>());
}

TEST_CASE("a record is purged three leases after the task was removed from its queue") {
    SubmitterEdge edge = answered();
    edge.now += 1h;
    edge.feed(Consumed{"t"});
    CHECK(edge.has<Remove>());
    edge.wait(5s);
    CHECK(edge.has<Remove>());  // the result of the first was lost
    edge.removed();
    CHECK(edge.actions.empty());
    CHECK(next_deadline(edge.state) == edge.now + 90s);
    edge.wait();
    CHECK(edge.only_one<Purge>().version == 2);
    CHECK_FALSE(edge.has<Forget>());
    edge.removed();
    CHECK(edge.has<Forget>());
    CHECK(edge.state.submissions.empty());
    CHECK_FALSE(next_deadline(edge.state));
}

TEST_CASE("tidying goes on after a reconnection, and in a new process") {
    SubmitterEdge edge;
    bool is_new = false;
    SECTION("the same process") {
        edge.feed(Noticed{"t", {2, processed}});
        edge.feed(Consumed{"t"});
        edge.feed(Disconnected{});
    }
    SECTION("a new one, which has to look at the record before it purges it") {
        is_new = true;
        edge.state.submissions.clear();
        edge.state.schedule = {};
        edge.feed(Disconnected{});
        edge.feed(Recovered{"t", {}, {}, false, true});
    }
    edge.feed(Connected{});
    edge.wait(30s);
    CHECK(edge.has<Remove>());
    edge.removed();
    edge.feed(Disconnected{});
    edge.wait(90s);
    CHECK_FALSE(edge.has<Purge>());
    edge.feed(Connected{});
    if (is_new) edge.find({7, processed}, false);
    CHECK(edge.only_one<Purge>().version == (is_new ? 7 : 2));
}

TEST_CASE("a record that is gone already need not be purged") {
    SubmitterEdge edge;
    edge.feed(Disconnected{});
    edge.state.submissions.clear();
    edge.feed(Recovered{"t", {}, {}, false, true});
    edge.feed(Connected{});
    edge.wait(30s);
    edge.removed();
    edge.wait(90s);
    edge.find({}, false);
    CHECK(edge.has<Forget>());
    CHECK_FALSE(edge.is_known());
}

TEST_CASE("a withdrawal is written, and the owner told") {
    SubmitterEdge edge = withdrawn();
    auto write = edge.only_one<Write>();
    CHECK(write.expected == 1);
    CHECK(write.entry.kind == EntryKind::withdrawn);
    CHECK(write.entry.owner == worker);
    CHECK_FALSE(edge.has<Notify>());
    edge.written(WriteResult::written, 2);
    CHECK(edge.only_one<Notify>().edge == "w");
    CHECK(edge.has<NoteClosed>());
    CHECK_FALSE(edge.has<Answer>());
}

TEST_CASE("a withdrawal that was refused looks at the record") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Withdrawn{"t"});
    CHECK_FALSE(edge.only_one<Write>().entry.owner);
    edge.written(WriteResult::refused);
    SECTION("claimed in the meantime") {
        edge.find({4, claimed}, true);
        CHECK(edge.only_one<Write>().expected == 4);
        CHECK(edge.only_one<Write>().entry.owner == worker);
    }
    SECTION("done in the meantime") {
        edge.find({5, processed}, false);
        CHECK_FALSE(edge.has<Answer>());
        CHECK(edge.has<NoteClosed>());
    }
    SECTION("written after all") {
        edge.find({4, Entry{EntryKind::withdrawn, {"s", {3, 0}}, worker}}, true);
        CHECK(edge.has<Notify>());
        CHECK(edge.has<NoteClosed>());
    }
}

TEST_CASE("a task that is submitted again while it is withdrawn is reopened, with its owner, and published") {
    SubmitterEdge edge = withdrawn();
    edge.feed(Submitted{"t", {}});
    edge.written(WriteResult::written, 2);
    CHECK_FALSE(edge.has<NoteClosed>());
    edge.find({2, Entry{EntryKind::withdrawn, {"s", {3, 0}}, worker}}, true);
    CHECK(edge.has<Remove>());  // the message in the queue has the earlier content
    edge.removed();
    auto write = edge.only_one<Write>();
    CHECK(write.expected == 2);
    CHECK(write.entry.kind == EntryKind::reopened);
    CHECK(write.entry.owner == worker);
    edge.written(WriteResult::written, 3);
    CHECK(edge.has<Publish>());
}

TEST_CASE("a task that was submitted again while it was withdrawn is tidied as any other") {
    SubmitterEdge edge = withdrawn();
    edge.feed(Submitted{"t", {}});
    edge.written(WriteResult::written, 2);
    edge.find({2, Entry{EntryKind::withdrawn, {"s", {3, 0}}, worker}}, false);
    edge.written(WriteResult::written, 3);
    edge.published();
    edge.feed(Noticed{"t", {4, processed}});
    CHECK(edge.has<Answer>());
    edge.now += 1h;
    edge.feed(Consumed{"t"});
    edge.removed();
    edge.wait();
    edge.removed();
    CHECK(edge.has<Forget>());
    CHECK_FALSE(edge.is_known());
}

TEST_CASE("a task that was withdrawn and is submitted again for another queue leaves the first one") {
    const Queue other{base::Labels::of({"x"}).value(), 3};
    const Record gone{2, Entry{EntryKind::withdrawn, {"s", {3, 0}}, worker}};
    SubmitterEdge edge = withdrawn();
    SECTION("before the withdrawal is written") {
        edge.feed(Submitted{"t", other});
        edge.written(WriteResult::written, 2);
    }
    SECTION("afterwards") {
        edge.written(WriteResult::written, 2);
        CHECK(edge.has<NoteClosed>());
        edge.feed(Submitted{"t", other});
    }
    edge.find(gone, true);
    CHECK(edge.only_one<Remove>().queue == Queue{});
    edge.removed();
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::reopened);
    edge.written(WriteResult::written, 3);
    CHECK(edge.only_one<Note>().queue == other);
    CHECK(edge.only_one<Publish>().queue == other);
}

TEST_CASE("the queue of a task that is submitted again survives the death of the edge that was told so") {
    const Queue other{base::Labels::of({"x"}).value(), 3};
    SubmitterEdge edge;
    edge.feed(Disconnected{});
    edge.state.submissions.clear();
    edge.feed(Recovered{"t", {}, StoreId{1}});
    edge.feed(Connected{StoreId{1}});
    edge.feed(Submitted{"t", other});
    edge.find({2, Entry{EntryKind::withdrawn, {"s", {3, 0}}}}, false);
    edge.written(WriteResult::written, 3);
    CHECK(edge.only_one<Note>().queue == other);
    CHECK(edge.only_one<Publish>().queue == other);
}

TEST_CASE("a withdrawal after the engine has lost the record still names the owner") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Noticed{"t", {1, claimed}});
    edge.feed(Disconnected{});
    edge.feed(Withdrawn{"t"});
    edge.feed(Connected{StoreId{2}});
    edge.wait();
    edge.wait();
    edge.written(WriteResult::refused);
    edge.find({}, false);
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::withdrawn);
    CHECK(edge.only_one<Write>().entry.owner == worker);
}

TEST_CASE("a withdrawal that somebody else has written is taken back by who still waits") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Noticed{"t", {1, Entry{EntryKind::withdrawn, {"r", {8, 0}}}}});
    edge.find({1, Entry{EntryKind::withdrawn, {"r", {8, 0}}}}, false);
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::reopened);
}

TEST_CASE("a task that is submitted again after its answer is answered again, from its record") {
    SubmitterEdge edge = answered();
    edge.feed(Consumed{"t"});
    edge.feed(Submitted{"t", {}});
    edge.find({2, processed}, false);
    CHECK(edge.has<Answer>());
}

TEST_CASE("an outcome is not overwritten by the withdrawal of who has asked for it again") {
    SubmitterEdge edge = answered();
    edge.feed(Consumed{"t"});
    edge.feed(Submitted{"t", {}});
    edge.feed(Withdrawn{"t"});
    CHECK(edge.only_one<Search>().for_submitters);
    edge.wait();
    edge.wait();
    CHECK_FALSE(edge.has<Write>());
    edge.find({2, processed}, false);
    CHECK_FALSE(edge.has<Write>());
    CHECK_FALSE(edge.has<Answer>());
    CHECK(edge.has<NoteClosed>());
}

TEST_CASE("a task that is submitted again while its record is purged is a new one") {
    SubmitterEdge edge = answered();
    edge.now += 1h;
    edge.feed(Consumed{"t"});
    edge.removed();
    edge.wait();
    REQUIRE(edge.has<Purge>());
    edge.feed(Submitted{"t", {}});
    CHECK(edge.actions.empty());
    edge.removed();
    CHECK(edge.has<Publish>());
    CHECK_FALSE(edge.has<Forget>());
}

TEST_CASE("the loss of the engine's store does not reopen what is closed") {
    SubmitterEdge edge = answered();
    edge.feed(Consumed{"t"});
    edge.feed(Disconnected{});
    edge.feed(Connected{StoreId{2}});
    CHECK_FALSE(edge.has<Note>());
    edge.feed(Submitted{"t", {}});
    CHECK(edge.only_one<Note>().was_lost);
}

TEST_CASE("a stop of the pool withdraws and answers every task, except those that are done") {
    SubmitterEdge edge;
    edge.published();
    edge.feed(Stopping{});
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::withdrawn);
    SECTION("stopped") {
        edge.written(WriteResult::written, 1);
        CHECK(edge.only_one<Answer>().outcome == Outcome::stopped);
    }
    SECTION("done") {
        edge.written(WriteResult::refused);
        edge.find({2, processed}, false);
        CHECK(edge.only_one<Answer>().outcome == Outcome::processed);
    }
    edge.feed(Submitted{"u", {}});
    CHECK(edge.only_one<Answer>().task == "u");
}

TEST_CASE("a submission during a stop is answered once") {
    SubmitterEdge edge;
    edge.feed(Stopping{});
    edge.feed(Submitted{"t", {}});
    CHECK(edge.actions.empty());
    SECTION("when its withdrawal is written") {
        edge.written(WriteResult::written, 1);
        CHECK(edge.has<Answer>());
    }
    SECTION("not if it is withdrawn as well") {
        edge.feed(Withdrawn{"t"});
        edge.written(WriteResult::written, 1);
        CHECK_FALSE(edge.has<Answer>());
        CHECK(edge.has<NoteClosed>());
    }
}

TEST_CASE("a withdrawal after the answer counts as its consumption") {
    SubmitterEdge edge = answered();
    edge.feed(Withdrawn{"t"});
    CHECK(edge.has<NoteClosed>());
    edge.feed(Withdrawn{"t"});
    CHECK(edge.actions.empty());
}
