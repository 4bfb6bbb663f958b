// A delivery: who may work on its task.
#include "agent_side_events.hpp"

TEST_CASE("a delivered task is noted, then claimed, and given to the pool when the claim is written") {
    AgentEdge edge;
    edge.deliver("t", "d1", 60s);
    REQUIRE(std::holds_alternative<Note>(edge.actions.at(0)));
    REQUIRE(std::holds_alternative<Write>(edge.actions.at(1)));
    auto write = edge.only_one<Write>();
    CHECK(write.expected == 0);
    CHECK(write.entry.kind == EntryKind::claimed);
    CHECK(write.entry.author == edge.me());
    CHECK_FALSE(edge.has<Assign>());
    edge.written(WriteResult::written, 5);
    CHECK(edge.only_one<Assign>().timeout == Duration(60s));
    CHECK_FALSE(edge.has<Settle>());
    CHECK(edge.state.statistics.claimed == 1);
}

TEST_CASE("each delivery has a nonce of its own") {
    AgentEdge edge(2);
    edge.deliver("t", "d1");
    edge.deliver("u", "d2");
    CHECK(edge.me("t").nonce != edge.me("u").nonce);
    CHECK(edge.me("t").nonce.start == 7);
}

TEST_CASE("a claim with an unknown result is looked up, and is ours only with our nonce") {
    AgentEdge edge;
    edge.deliver();
    edge.written(WriteResult::unknown);
    edge.wait(5s);
    CHECK(edge.only_one<LookUp>().task == "t");
    SECTION("ours") {
        edge.looked_up({3, claimed_by(edge.me())});
        CHECK(edge.has<Assign>());
    }
    SECTION("not written: once more, with the same nonce") {
        Author me = edge.me();
        edge.looked_up({});
        edge.seen_in_queue({});
        CHECK(edge.only_one<Write>().entry.author == me);
    }
    SECTION("of an earlier delivery to this edge, of which it knows nothing: lost") {
        edge.looked_up({3, claimed_by(other("e"))});
        CHECK_FALSE(edge.has<Ask>());
        auto write = edge.only_one<Write>();
        CHECK(write.expected == 3);
        CHECK(write.entry.outcome == Outcome::agent_lost);
    }
}

TEST_CASE("an engine that says at once that it stores nothing is spared for five seconds") {
    AgentEdge edge;
    edge.deliver();
    edge.written(WriteResult::unknown);
    CHECK(edge.actions.empty());
    edge.wait(4999ms);
    CHECK(edge.actions.empty());
    edge.wait(1ms);
    CHECK(edge.has<LookUp>());
}

TEST_CASE("no agent waits for a record that cannot be read, and the task is claimed when it can be") {
    AgentEdge edge;
    edge.deliver();
    edge.written(WriteResult::refused);
    CHECK_FALSE(edge.has<Pull>());
    edge.feed(LookedUp{"t", edge.request(), {}, true});
    CHECK(edge.has<Pull>());
    edge.wait(5s);
    edge.looked_up({3, Entry{EntryKind::released, other("w")}});
    CHECK(edge.only_one<Write>().expected == 3);
}

TEST_CASE("a result that does not come is as good as an unknown one, and a late one is ignored") {
    AgentEdge edge;
    edge.deliver();
    RequestId first = edge.request();
    edge.wait(5s);
    CHECK(edge.only_one<LookUp>().task == "t");
    edge.feed(Written{"t", first, WriteResult::written, 3});
    CHECK_FALSE(edge.has<Assign>());
    edge.wait(5s);
    CHECK(edge.has<LookUp>());
}

TEST_CASE("a claim whose result took long is looked up before an agent gets the task") {
    AgentEdge edge;
    edge.deliver();
    edge.now += 10s;
    edge.written(WriteResult::written, 3);
    CHECK_FALSE(edge.has<Assign>());
    edge.looked_up({4, Entry{EntryKind::outcome, other("f"), {}, {}, Outcome::agent_lost}});
    CHECK_FALSE(edge.has<Assign>());
    CHECK_FALSE(edge.only_one<Settle>().again);
}

TEST_CASE("a claim that is found only after a lease is released, because the record may have been purged") {
    AgentEdge edge;
    edge.deliver();
    edge.now += 50s;
    edge.feed(Written{"t", edge.request(), WriteResult::written, 3});
    edge.looked_up({3, claimed_by(edge.me())});
    CHECK_FALSE(edge.has<Assign>());
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::released);
    edge.written(WriteResult::written, 4);
    CHECK(edge.only_one<Settle>().again);
}

TEST_CASE("a finished or withdrawn task is dropped, and a released one is claimed with its setbacks") {
    AgentEdge edge;
    edge.deliver();
    edge.written(WriteResult::refused);
    SECTION("finished") {
        edge.looked_up({2, Entry{EntryKind::outcome, other("f")}});
        CHECK_FALSE(edge.only_one<Settle>().again);
        CHECK(edge.only_one<Forget>().task == "t");
        CHECK(edge.state.tasks.empty());
        CHECK(edge.state.reserved.empty());
    }
    SECTION("withdrawn") {
        edge.looked_up({2, Entry{EntryKind::withdrawn, other("s")}});
        CHECK_FALSE(edge.only_one<Settle>().again);
    }
    SECTION("released") {
        edge.looked_up({2, Entry{EntryKind::released, other("f"), {}, Setbacks{1, 2}}});
        CHECK(edge.only_one<Write>().expected == 2);
        edge.written(WriteResult::written, 3);
        CHECK(edge.only_one<Assign>().setbacks == Setbacks{1, 2});
    }
}

TEST_CASE("a task that was withdrawn and submitted again is claimed with its new contents only") {
    const Record reopened{2, Entry{EntryKind::reopened, other("s")}};
    AgentEdge edge(2);
    edge.deliver();
    edge.written(WriteResult::refused);
    edge.looked_up(reopened);
    SECTION("it was delivered after that") {
        edge.seen_in_queue(reopened);
        CHECK(edge.only_one<Write>().entry.kind == EntryKind::claimed);
        CHECK(edge.only_one<Write>().expected == 2);
    }
    SECTION("it was delivered before") {
        edge.seen_in_queue(reopened, false);
        CHECK(edge.only_one<Settle>().again);
        CHECK(edge.state.tasks.empty());
        CHECK(edge.state.reserved.empty());
    }
    SECTION("it was delivered before, and again meanwhile") {
        edge.deliver("t", "d2");
        CHECK(edge.state.tasks.at("t").delivery == "d1");
    }
    SECTION("it was delivered before, and to another edge meanwhile, which asks") {
        edge.feed(Asked{1, "t", edge.state.tasks.at("t").nonce, Delivery("d2")});
        CHECK(edge.only_one<Reply>().has);
        CHECK(edge.state.tasks.at("t").delivery == "d1");
    }
}

TEST_CASE("a claim that was withdrawn before an agent had the task is not renewed") {
    AgentEdge edge;
    edge.deliver();
    Author me = edge.me();
    edge.written(WriteResult::unknown);
    edge.wait(5s);
    const Record reopened{3, Entry{EntryKind::reopened, other("s"), me}};
    edge.looked_up(reopened);
    CHECK_FALSE(edge.has<Ask>());
    edge.seen_in_queue(reopened, false);
    CHECK(edge.only_one<Settle>().again);
}

namespace {

AgentEdge asking(const Entry& entry) {
    AgentEdge edge;
    edge.deliver();
    edge.written(WriteResult::refused);
    edge.looked_up({2, entry});
    auto ask = edge.only_one<Ask>();
    CHECK(ask.owner == other("f"));
    CHECK(ask.delivery == "d1");
    return edge;
}

void reply(AgentEdge& edge, OwnerReply reply) {
    edge.feed(OwnerReplied{"t", edge.request(), reply});
}

}  // namespace

TEST_CASE("the owner of a claim is asked, and keeps the task if it has it") {
    AgentEdge edge = asking(claimed_by(other("f")));
    reply(edge, OwnerReply::has);
    CHECK_FALSE(edge.has<Settle>());
    CHECK(edge.has<Forget>());
    CHECK(edge.state.tasks.empty());
}

TEST_CASE("while an owner is asked, no agent is kept waiting") {
    AgentEdge edge = asking(claimed_by(other("f")));
    CHECK(edge.state.reserved.empty());
    CHECK(edge.has<Pull>());
}

TEST_CASE("an owner that has lost its task is declared lost, and only then the delivery is settled") {
    AgentEdge edge = asking(claimed_by(other("f")));
    reply(edge, OwnerReply::has_not);
    auto write = edge.only_one<Write>();
    CHECK(write.expected == 2);
    CHECK(write.entry.outcome == Outcome::agent_lost);
    CHECK_FALSE(edge.has<Settle>());
    edge.written(WriteResult::written, 3);
    CHECK_FALSE(edge.only_one<Settle>().again);
    CHECK(edge.state.statistics.owners_lost == 1);
}

TEST_CASE("a silent owner is asked for ten seconds, because it may be about to connect again") {
    AgentEdge edge = asking(claimed_by(other("f")));
    for (int times = 0; times < 4; ++times) {
        reply(edge, OwnerReply::silent);
        CHECK(edge.actions.empty());
        edge.wait(2s);
        CHECK(edge.has<Ask>());
    }
    edge.wait(2s);
    CHECK(edge.only_one<Write>().entry.outcome == Outcome::agent_lost);
}

TEST_CASE("an owner that answers in time is not declared lost after all") {
    AgentEdge edge = asking(claimed_by(other("f")));
    reply(edge, OwnerReply::has_not);
    edge.written(WriteResult::refused);
    edge.looked_up({3, Entry{EntryKind::outcome, other("f")}});
    CHECK_FALSE(edge.only_one<Settle>().again);
    CHECK(edge.state.statistics.owners_lost == 0);
}

TEST_CASE("a task that was submitted again waits for the agent from which it was withdrawn") {
    AgentEdge edge = asking({EntryKind::reopened, other("s"), other("f")});
    SECTION("it is still at work") {
        reply(edge, OwnerReply::has);
        CHECK_FALSE(edge.has<Settle>());
    }
    SECTION("it has ended") {
        reply(edge, OwnerReply::has_not);
        edge.seen_in_queue({2, {{EntryKind::reopened, other("s"), other("f")}}});
        CHECK(edge.only_one<Write>().entry.kind == EntryKind::claimed);
    }
    SECTION("nobody knows") {
        for (int times = 0; times < 5; ++times)
            edge.wait(2s);
        CHECK(edge.only_one<Write>().entry.outcome == Outcome::agent_lost);
        SECTION("and what is written may be lost") {
            edge.written(WriteResult::unknown);
            edge.wait(5s);
            edge.looked_up({2, {{EntryKind::reopened, other("s"), other("f")}}});
            CHECK_FALSE(edge.has<Write>());
            CHECK(edge.only_one<Ask>().owner == other("f"));
        }
    }
}

TEST_CASE("a second delivery of a task that agents work on only replaces the first") {
    AgentEdge edge(2);
    edge.deliver("t", "d1");
    edge.written(WriteResult::written, 1);
    edge.deliver("t", "d2");
    CHECK_FALSE(edge.has<Write>());
    CHECK_FALSE(edge.has<Settle>());
    edge.feed(Answered{"t", Outcome::processed});
    edge.written(WriteResult::written, 2);
    CHECK(edge.only_one<Settle>().delivery == "d2");
}

TEST_CASE("a delivery that no agent can take is handed back unclaimed") {
    AgentEdge edge(1, {{{}, 0}, {labels({"x"}), 0}});
    SECTION("its agent is gone, and somebody may have had it") {
        auto pull = edge.state.pulls.begin()->first;
        edge.feed(Idle{{}});
        edge.feed(Delivered{pull, "t", "d1", {}, {}, true});
    }
    SECTION("this process was suspended for long") {
        edge.now += 50s;
        edge.deliver();
    }
    SECTION("nobody has pulled it") {
        edge.feed(Delivered{PullId{77}, "t", "d1", {}, {}});
    }
    CHECK(edge.only_one<Settle>().again);
    CHECK_FALSE(edge.has<Note>());
    CHECK_FALSE(edge.has<Write>());
    CHECK(edge.state.statistics.surplus == 1);
}

TEST_CASE("a task whose agent the pool has given to another task meanwhile is not claimed") {
    AgentEdge edge;
    edge.deliver_again();
    edge.feed(Idle{{}});
    edge.looked_up({2, Entry{EntryKind::released, other("f")}});
    CHECK_FALSE(edge.has<Write>());
    CHECK(edge.only_one<Settle>().again);
    CHECK(edge.state.reserved.empty());
}

TEST_CASE("a first delivery that no agent can take is released, so that nobody searches for the task") {
    AgentEdge edge;
    auto pull = edge.state.pulls.begin()->first;
    bool is_written_before = false;
    SECTION("its agent is gone") {
        edge.feed(Idle{{}});
    }
    SECTION("the edge drains") {
        edge.feed(Draining{});
    }
    SECTION("somebody has written before") {
        edge.feed(Idle{{}});
        is_written_before = true;
    }
    edge.now += 30s;
    edge.feed(Delivered{pull, "t", "d1", {}, {}});
    CHECK_FALSE(edge.has<Settle>());
    CHECK_FALSE(edge.has<Note>());
    CHECK(edge.only_one<Write>().expected == 0);
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::released);
    if (is_written_before) {
        edge.written(WriteResult::refused);
        edge.looked_up({2, claimed_by(other("f"))});
    } else {
        edge.written(WriteResult::written, 1);
    }
    CHECK(edge.only_one<Settle>().again);
    CHECK(edge.state.tasks.empty());
    CHECK(edge.state.statistics.surplus == 1);
}

TEST_CASE("a first delivery for which there is no agent any more is not released when it is old") {
    AgentEdge edge;
    auto pull = edge.state.pulls.begin()->first;
    edge.feed(Idle{{}});
    SECTION("it comes late") {
        edge.now += 50s;
    }
    SECTION("the connection was lost") {
        edge.feed(Disconnected{});
        edge.feed(Connected{});
    }
    edge.feed(Delivered{pull, "t", "d1", {}, {}});
    CHECK(edge.only_one<Settle>().again);
    CHECK_FALSE(edge.has<Write>());
}

TEST_CASE(
    "what a lost store has delivered is not claimed at the next one: the task may have been done since") {
    AgentEdge edge;
    edge.deliver();
    edge.feed(Disconnected{});
    edge.feed(Connected{StoreId{2}});
    CHECK(edge.has<Forget>());
    CHECK_FALSE(edge.has<LookUp>());
    CHECK(edge.state.tasks.empty());
    CHECK(edge.has<Pull>());
}
