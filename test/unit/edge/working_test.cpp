// A claimed task: leases, answers, handing back, the loss of the lease, and what a new process takes up.
#include "agent_side_events.hpp"

TEST_CASE("an answer is written before the delivery is settled and the note forgotten") {
    AgentEdge edge;
    edge.work();
    edge.feed(Answered{"t", Outcome::processed});
    auto write = edge.only_one<Write>();
    CHECK(write.expected == 1);
    CHECK(write.entry.kind == EntryKind::outcome);
    CHECK(write.entry.outcome == Outcome::processed);
    CHECK_FALSE(edge.has<Settle>());
    CHECK_FALSE(edge.has<Forget>());
    edge.written(WriteResult::written, 2);
    CHECK_FALSE(edge.only_one<Settle>().again);
    CHECK(edge.has<Forget>());
    CHECK(edge.state.tasks.empty());
}

TEST_CASE("an answer with an unknown result is looked up, and written again until it is there") {
    AgentEdge edge;
    edge.work();
    edge.feed(Answered{"t", Outcome::processed});
    Author me = edge.me();
    edge.written(WriteResult::unknown);
    edge.wait(5s);
    CHECK(edge.has<LookUp>());
    SECTION("it was written") {
        edge.looked_up({2, Entry{EntryKind::outcome, me}});
        CHECK_FALSE(edge.only_one<Settle>().again);
    }
    SECTION("it was not") {
        edge.looked_up({1, claimed_by(me)});
        CHECK(edge.only_one<Write>().expected == 1);
    }
    SECTION("the engine has lost everything") {
        edge.looked_up({});
        CHECK(edge.only_one<Write>().expected == 0);
    }
    SECTION("nor is that known") {
        edge.feed(LookedUp{"t", edge.request(), {}});
        edge.wait(5s);
        CHECK(edge.has<LookUp>());
    }
}

TEST_CASE("an answer that comes after the task was declared lost is refused and counted") {
    AgentEdge edge;
    edge.work();
    edge.feed(Answered{"t", Outcome::processed});
    edge.written(WriteResult::refused);
    edge.looked_up({2, Entry{EntryKind::outcome, other("f"), {}, {}, Outcome::agent_lost}});
    CHECK_FALSE(edge.only_one<Settle>().again);
    CHECK(edge.has<Forget>());
    CHECK(edge.state.statistics.late_answers == 1);
}

TEST_CASE("every third of the lease it is extended, and the claim is looked at") {
    AgentEdge edge;
    edge.work();
    for (int times = 0; times < 3; ++times) {
        edge.wait(10s);
        CHECK(edge.only_one<Extend>().delivery == "d1");
        CHECK(edge.has<LookUp>());
        edge.looked_up({1, claimed_by(edge.me())});
        CHECK(edge.actions.empty());
    }
    CHECK(edge.state.tasks.at("t").due == edge.now + 10s);
}

TEST_CASE("a claim that the engine has lost is written anew, with the same nonce") {
    AgentEdge edge;
    edge.work();
    Author me = edge.me();
    edge.wait(10s);
    edge.looked_up({});
    auto write = edge.only_one<Write>();
    CHECK(write.expected == 0);
    CHECK(write.entry.author == me);
    edge.written(WriteResult::written, 9);
    CHECK(edge.actions.empty());
    edge.feed(Answered{"t", Outcome::processed});
    CHECK(edge.only_one<Write>().expected == 9);
}

TEST_CASE("a task that was withdrawn or declared lost is taken from its agent") {
    AgentEdge edge;
    edge.work();
    edge.feed(Check{"t"});
    Author me = edge.me();
    SECTION("withdrawn") {
        edge.looked_up({2, Entry{EntryKind::withdrawn, other("s"), me}});
    }
    SECTION("declared lost") {
        edge.looked_up({2, Entry{EntryKind::outcome, other("f")}});
    }
    SECTION("claimed by another") {
        edge.looked_up({2, claimed_by(other("f"))});
    }
    CHECK(edge.only_one<Recall>().wants_end);
    CHECK_FALSE(edge.has<Forget>());
    CHECK(edge.state.statistics.leases_lost == 1);
    // Until the agent has ended, nobody else may begin.
    edge.feed(Asked{1, "t", me.nonce, "d7"});
    CHECK(edge.only_one<Reply>().has);
    edge.feed(Ended{"t"});
    CHECK(edge.only_one<Settle>().again);
    CHECK(edge.has<Forget>());
    edge.feed(Asked{2, "t", me.nonce, "d8"});
    CHECK_FALSE(edge.only_one<Reply>().has);
}

TEST_CASE("an answer that crosses the loss of the task is late") {
    AgentEdge edge;
    edge.work();
    edge.feed(Check{"t"});
    edge.looked_up({2, claimed_by(other("f"))});
    edge.feed(Answered{"t", Outcome::processed});
    CHECK_FALSE(edge.has<Write>());
    CHECK(edge.has<Forget>());
    CHECK(edge.state.statistics.late_answers == 1);
}

TEST_CASE("a task that was withdrawn and submitted again is taken from its agent, whose answer is late") {
    AgentEdge edge;
    edge.work();
    Author me = edge.me();
    SECTION("at work") {
        edge.feed(Check{"t"});
        edge.looked_up({3, Entry{EntryKind::reopened, other("s"), me}});
        CHECK(edge.only_one<Recall>().wants_end);
        CHECK_FALSE(edge.has<Write>());
        edge.feed(Ended{"t"});
        CHECK(edge.only_one<Settle>().again);
    }
    SECTION("answered") {
        edge.feed(Answered{"t", Outcome::processed});
        edge.written(WriteResult::refused);
        edge.looked_up({3, Entry{EntryKind::reopened, other("s"), me}});
        CHECK_FALSE(edge.has<Write>());
        CHECK(edge.only_one<Settle>().again);
        CHECK(edge.state.statistics.late_answers == 1);
    }
}

TEST_CASE("who asks for a task that is here passes its delivery on") {
    AgentEdge edge;
    edge.work();
    edge.feed(Asked{4, "t", edge.me().nonce, "d2"});
    CHECK(edge.only_one<Reply>().question == 4);
    CHECK(edge.only_one<Reply>().has);
    edge.wait(10s);
    CHECK(edge.only_one<Extend>().delivery == "d2");
    edge.feed(Asked{5, "t", {99, 1}, "d3"});
    CHECK_FALSE(edge.only_one<Reply>().has);
    edge.feed(Asked{6, "u", edge.me().nonce, "d3"});
    CHECK_FALSE(edge.only_one<Reply>().has);
}

TEST_CASE("a task that no agent here can go on with is released for other hosts") {
    AgentEdge edge;
    edge.work();
    edge.feed(Unassigned{"t", {2, 0}});
    CHECK_FALSE(edge.only_one<Recall>().wants_end);
    auto write = edge.only_one<Write>();
    CHECK(write.entry.kind == EntryKind::released);
    CHECK(write.entry.setbacks == Setbacks{2, 0});
    CHECK_FALSE(edge.has<Settle>());
    Author me = edge.me();
    SECTION("written") {
        edge.written(WriteResult::written, 2);
    }
    SECTION("unknown, but written") {
        edge.written(WriteResult::unknown);
        edge.wait(5s);
        edge.looked_up({2, Entry{EntryKind::released, me}});
    }
    SECTION("lost by the engine") {
        edge.written(WriteResult::unknown);
        edge.wait(5s);
        edge.looked_up({});
    }
    CHECK(edge.only_one<Settle>().again);
    CHECK(edge.state.tasks.empty());
}

TEST_CASE("an edge that stops releases its tasks") {
    AgentEdge edge;
    edge.work();
    edge.feed(Draining{});
    edge.feed(Answered{"t", Outcome::stopped});
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::released);
    edge.written(WriteResult::written, 2);
    CHECK(is_drained(edge.state));
}

TEST_CASE("without a connection work goes on, and answers are written after it is back") {
    AgentEdge edge;
    edge.work();
    edge.feed(Disconnected{});
    CHECK_FALSE(next_deadline(edge.state));
    edge.feed(Answered{"t", Outcome::processed});
    CHECK(edge.actions.empty());
    edge.now += 2h;
    edge.feed(Connected{});
    CHECK(edge.has<LookUp>());
    edge.looked_up({1, claimed_by(edge.me())});
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::outcome);
}

TEST_CASE("after a reconnection leases are extended at once") {
    AgentEdge edge;
    edge.work();
    edge.feed(Disconnected{});
    edge.feed(Connected{});
    CHECK(edge.has<Extend>());
    CHECK(edge.has<LookUp>());
}

TEST_CASE("a drained edge has no tasks left") {
    AgentEdge edge;
    edge.work();
    edge.feed(Draining{});
    CHECK_FALSE(is_drained(edge.state));
    edge.feed(Answered{"t", Outcome::processed});
    edge.written(WriteResult::written, 2);
    CHECK(is_drained(edge.state));
    edge.feed(Idle{{{{}, 1}}});
    CHECK_FALSE(edge.has<Pull>());
}

namespace {

AgentEdge restarted(Stage stage) {
    AgentEdge edge(0);
    edge.state.is_connected = false;
    edge.feed(Recovered{"t", {}, {}, "d1", {5, 3}, {}, stage, Outcome::processed});
    edge.feed(Connected{});
    CHECK(edge.only_one<LookUp>().task == "t");
    return edge;
}

}  // namespace

TEST_CASE("a new process takes up what an earlier one has noted") {
    Author me{"e", {5, 3}};
    SECTION("at work") {
        AgentEdge edge = restarted(Stage::assigned);
        CHECK(edge.only_one<Extend>().delivery == "d1");
        edge.looked_up({4, claimed_by(me)});
        edge.feed(Asked{1, "t", me.nonce, "d2"});
        CHECK(edge.only_one<Reply>().has);
        edge.feed(Answered{"t", Outcome::processed});
        CHECK(edge.only_one<Write>().expected == 4);
    }
    SECTION("at work, and answered before the record is known") {
        AgentEdge edge = restarted(Stage::assigned);
        edge.feed(Answered{"t", Outcome::processed});
        CHECK(edge.has<LookUp>());
        edge.looked_up({4, claimed_by(me)});
        CHECK(edge.only_one<Write>().expected == 4);
    }
    SECTION("taken back from its agent, which has ended since, and submitted again") {
        AgentEdge edge = restarted(Stage::assigned);
        edge.feed(Ended{"t"});
        edge.looked_up({6, Entry{EntryKind::reopened, other("s"), me}});
        CHECK(edge.only_one<Settle>().again);
    }
    SECTION("declared lost in the meantime") {
        AgentEdge edge = restarted(Stage::assigned);
        edge.looked_up({5, Entry{EntryKind::outcome, other("f")}});
        CHECK(edge.has<Recall>());
    }
    SECTION("answered") {
        AgentEdge edge = restarted(Stage::answered);
        edge.looked_up({4, claimed_by(me)});
        CHECK(edge.only_one<Write>().entry.outcome == Outcome::processed);
    }
    SECTION("claimed, but no agent has got it") {
        AgentEdge edge = restarted(Stage::unassigned);
        edge.looked_up({4, claimed_by(me)});
        CHECK(edge.only_one<Write>().entry.kind == EntryKind::released);
    }
    SECTION("not even claimed") {
        AgentEdge edge = restarted(Stage::unassigned);
        edge.looked_up({});
        edge.seen_in_queue({});
        CHECK(edge.only_one<Settle>().again);
    }
}
