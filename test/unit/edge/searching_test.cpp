// A task that may have been delivered before, and of which the engine has no record: it may have lost it.
#include "agent_side_events.hpp"

namespace {

// What is sent in the twelve seconds of a search; `reply` comes after the first question.
void search_to_the_end(AgentEdge& edge, std::optional<Trace> reply = {}) {
    RequestId request = edge.request();
    if (reply) edge.feed(Searched{"t", request, *reply});
    for (int times = 0; times < 5; ++times) {
        edge.wait(2s);
        CHECK(edge.only_one<Search>().request == request);
        CHECK(edge.only_one<Extend>().delivery == "d1");
        CHECK_FALSE(edge.has<Write>());
    }
    edge.wait(2s);
    CHECK_FALSE(edge.has<Search>());
}

AgentEdge searching() {
    AgentEdge edge;
    edge.deliver_again();
    CHECK(edge.has<Note>());
    CHECK_FALSE(edge.has<Write>());
    edge.looked_up({});
    CHECK(edge.only_one<Search>().task == "t");
    CHECK_FALSE(edge.has<Write>());
    return edge;
}

Trace traced(AgentEdge& edge, const TaskId& task = "t", const EdgeId& seeker = "f") {
    edge.feed(Sought{5, task, seeker});
    auto reply = edge.only_one<TraceReply>();
    CHECK(reply.question == 5);
    return reply.trace;
}

void answer(AgentEdge& edge) {
    edge.work();
    edge.feed(Answered{"t", Outcome::processed});
    edge.written(WriteResult::written, 2);
}

}  // namespace

TEST_CASE("a task that was delivered before and has no record is claimed when no edge knows it") {
    AgentEdge edge = searching();
    CHECK_FALSE(edge.state.reserved.empty());
    search_to_the_end(edge);
    SECTION("but not if it was published anew meanwhile") {
        edge.seen_in_queue({}, false);
        CHECK(edge.only_one<Settle>().again);
        return;
    }
    edge.seen_in_queue({});
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::claimed);
    CHECK(edge.only_one<Write>().expected == 0);
    SECTION("written") {
        edge.written(WriteResult::written, 1);
        CHECK(edge.only_one<Assign>().was_unknown);
    }
    SECTION("it is not searched for twice") {
        edge.wait(5s);
        edge.looked_up({});
        edge.seen_in_queue({});
        CHECK(edge.has<Write>());
    }
}

TEST_CASE("what a store delivers that was away for a while is searched for") {
    AgentEdge edge;
    edge.feed(Disconnected{});
    edge.feed(Connected{StoreId{2}});
    SECTION("another one is new") {
        edge.deliver();
        CHECK(edge.has<Write>());
        return;
    }
    edge.feed(Disconnected{});
    edge.feed(Connected{});
    SECTION("for as long as the ends of tasks are remembered") {
        edge.now += 75s;
        edge.deliver();
        CHECK(edge.has<Write>());
        return;
    }
    edge.deliver();
    CHECK_FALSE(edge.has<Write>());
    edge.looked_up({});
    CHECK(edge.has<Search>());
}

TEST_CASE("while a task that was searched for is looked at for the last time, its agent gets no other") {
    AgentEdge edge = searching();
    search_to_the_end(edge);
    CHECK(edge.has<LookUp>());
    CHECK_FALSE(edge.has<Pull>());
    CHECK(edge.state.pulls.empty());
}

TEST_CASE("a task that an edge has is left to it: it writes the record again") {
    AgentEdge edge = searching();
    edge.feed(Searched{"t", edge.request(), Trace::held});
    CHECK(edge.has<Forget>());
    CHECK_FALSE(edge.has<Settle>());
    CHECK(edge.state.tasks.empty());
    CHECK(edge.state.reserved.empty());
}

TEST_CASE(
    "a task that an edge has ended, and whose outcome the engine has lost, is not done again but lost") {
    AgentEdge edge = searching();
    search_to_the_end(edge, Trace::ended);
    CHECK(edge.only_one<Write>().entry.outcome == Outcome::agent_lost);
    CHECK(edge.state.reserved.empty());
    edge.written(WriteResult::written, 1);
    CHECK_FALSE(edge.only_one<Settle>().again);
}

TEST_CASE("a task whose submitter waits no more is settled, also if an edge has ended it") {
    AgentEdge edge = searching();
    edge.feed(Searched{"t", edge.request(), Trace::over});
    search_to_the_end(edge, Trace::ended);
    CHECK_FALSE(edge.only_one<Settle>().again);
    CHECK_FALSE(edge.has<Write>());
    CHECK(edge.state.tasks.empty());
}

TEST_CASE("a task that was delivered before and has a record is not searched for") {
    AgentEdge edge;
    edge.deliver_again();
    edge.looked_up({2, Entry{EntryKind::released, other("f")}});
    CHECK_FALSE(edge.has<Search>());
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::claimed);
    edge.written(WriteResult::written, 3);
    CHECK_FALSE(edge.only_one<Assign>().was_unknown);
}

TEST_CASE("a record that comes to light when its task has been searched for is enough to know the task") {
    AgentEdge edge = searching();
    search_to_the_end(edge);
    edge.seen_in_queue({2, Entry{EntryKind::released, other("f")}});
    edge.written(WriteResult::written, 3);
    CHECK_FALSE(edge.only_one<Assign>().was_unknown);
}

TEST_CASE("a search ends with the connection, and its late replies are ignored") {
    AgentEdge edge = searching();
    RequestId request = edge.request();
    edge.feed(Disconnected{});
    CHECK(edge.has<Forget>());
    edge.feed(Connected{});
    edge.feed(Searched{"t", request, Trace::held});
    CHECK(edge.actions.empty());
}

TEST_CASE("who searches says that it has a task as soon as it has it, and restores its claim") {
    AgentEdge edge;
    CHECK(traced(edge) == Trace::none);
    edge.deliver();
    CHECK(traced(edge) == Trace::held);
    edge.written(WriteResult::written, 1);
    CHECK(traced(edge) == Trace::held);
    CHECK(edge.only_one<LookUp>().task == "t");
    edge.looked_up({});
    CHECK(edge.only_one<Write>().entry.kind == EntryKind::claimed);
    CHECK(traced(edge, "u") == Trace::none);
}

TEST_CASE("of two edges that search for a task, one gives way") {
    AgentEdge edge = searching();
    CHECK(traced(edge, "t", "d") == Trace::none);
    CHECK(traced(edge, "t", "e") == Trace::none);
    CHECK(traced(edge, "t", "f") == Trace::held);
}

TEST_CASE("what was found before this process was suspended is out of date") {
    AgentEdge edge = searching();
    edge.wait(12s);
    CHECK(edge.has<Search>());
    CHECK_FALSE(edge.has<Write>());
    search_to_the_end(edge);
    CHECK(edge.has<LookUp>());
}

TEST_CASE(
    "an edge knows which tasks it has ended, for less time than a record is kept, and longer if it is "
    "asked") {
    AgentEdge edge;
    answer(edge);
    SECTION("in time") {
        edge.now += 75s - 1ms;
        CHECK(traced(edge) == Trace::ended);
        edge.now += 75s - 1ms;
        CHECK(traced(edge) == Trace::ended);
    }
    edge.now += 75s;
    CHECK(traced(edge) == Trace::none);
}

TEST_CASE("an edge that has declared a task lost knows that it has ended") {
    AgentEdge edge;
    edge.deliver();
    edge.written(WriteResult::refused);
    edge.looked_up({2, claimed_by(other("f"))});
    edge.feed(OwnerReplied{"t", edge.request(), OwnerReply::has_not});
    edge.written(WriteResult::written, 3);
    CHECK(traced(edge) == Trace::ended);
}

TEST_CASE("of very many ended tasks the first are forgotten") {
    EndedTasks ended;
    auto name = [](std::size_t number) { return TaskId("t" + std::to_string(number)); };
    for (std::size_t number = 0; number <= EndedTasks::most; ++number)
        ended.add(name(number), start + 1s);
    CHECK_FALSE(ended.contains(name(0), start));
    CHECK(ended.contains(name(1), start));
    ended.add(name(1), start + 3s);
    CHECK(ended.contains(name(1), start + 2s));
    CHECK_FALSE(ended.contains(name(2), start + 2s));
}
