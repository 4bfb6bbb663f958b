#include "pool_events.hpp"

namespace {

State with_heartbeats(Duration idle) {
    State state;
    state.config.idle_timeout = idle;
    return state;
}

}  // namespace

TEST_CASE("the submission that came first goes to the agent that has waited longest") {
    State state;
    apply(state, AgentReady{"a1"}, start);
    apply(state, AgentReady{"a2"}, start);
    auto first = only<Assign>(apply(state, Submitted{"s1", {}}, start));
    auto second = only<Assign>(apply(state, Submitted{"s2", {}}, start));
    REQUIRE(first.size() == 1);
    CHECK(first[0].agent == "a1");
    CHECK(first[0].submission == "s1");
    REQUIRE(second.size() == 1);
    CHECK(second[0].agent == "a2");
}

TEST_CASE("queued submissions are handed out in the order they came") {
    State state;
    for (const char* id : {"s1", "s2", "s3"})
        CHECK(apply(state, Submitted{id, {}}, start).empty());
    for (const char* id : {"s1", "s2", "s3"}) {
        auto assigned = only<Assign>(apply(state, AgentReady{std::string("agent-of-") + id}, start));
        REQUIRE(assigned.size() == 1);
        CHECK(assigned[0].submission == id);
    }
}

namespace {

Submitted with_priority(const SubmissionId& id, std::int32_t priority) {
    Submitted event{id, {}};
    event.priority = priority;
    return event;
}

}  // namespace

TEST_CASE("queued submissions of a higher priority are handed out first") {
    State state;
    for (const auto& event : {with_priority("low", -1), with_priority("first", 2), Submitted{"middle", {}},
                              with_priority("second", 2)})
        CHECK(apply(state, event, start).empty());
    for (const char* id : {"first", "second", "middle", "low"})
        CHECK(assigned_to(apply(state, AgentReady{std::string("of-") + id}, start),
                          std::string("of-") + id) == id);
}

TEST_CASE("a submission that is handed back goes to the front of its priority") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", {}}, start);
    apply(state, Submitted{"later", {}}, start);
    apply(state, with_priority("urgent", 1), start);
    apply(state, AgentLeft{"a"}, start);
    for (const char* id : {"urgent", "s", "later"})
        CHECK(assigned_to(apply(state, AgentReady{std::string("of-") + id}, start),
                          std::string("of-") + id) == id);
}

TEST_CASE("a recovered submission keeps its priority when it is handed back") {
    State state;
    Recovered recovered{"a", "s", {}, {}};
    recovered.priority = 3;
    apply(state, recovered, start);
    apply(state, with_priority("other", 2), start);
    apply(state, AgentLeft{"a"}, start);
    CHECK(assigned_to(apply(state, AgentReady{"b"}, start), "b") == "s");
}

TEST_CASE("a busy agent gets no second task, even if it announces itself again") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s1", {}}, start);
    CHECK(apply(state, Submitted{"s2", {}}, start).empty());
    CHECK(apply(state, AgentReady{"a"}, start).empty());
}

TEST_CASE("a response is delivered once and the agent forgotten") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", {}}, start);
    auto actions = apply(state, AgentResponded{"a"}, start);
    auto delivered = only<Deliver>(actions);
    REQUIRE(delivered.size() == 1);
    CHECK(delivered[0].submission == "s");
    CHECK(only<Forget>(actions).size() == 1);
    CHECK(only<Deliver>(apply(state, AgentResponded{"a"}, start)).empty());
    CHECK(state.agents.empty());
    CHECK(state.submissions.empty());
}

TEST_CASE("a response before the assignment, or of nobody we know, is discarded") {
    State state;
    apply(state, AgentReady{"idle"}, start);
    CHECK(only<DiscardResponse>(apply(state, AgentResponded{"idle"}, start)).size() == 1);
    CHECK(only<DiscardResponse>(apply(state, AgentResponded{"stranger"}, start)).size() == 1);
    CHECK(only<Assign>(apply(state, Submitted{"s", {}}, start)).size() == 1);
}

TEST_CASE("an agent that leaves hands its task back to the front of the queue") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"first", {}}, start);
    apply(state, Submitted{"second", {}}, start);
    CHECK(only<Forget>(apply(state, AgentLeft{"a"}, start)).size() == 1);
    auto assigned = only<Assign>(apply(state, AgentReady{"b"}, start));
    REQUIRE(assigned.size() == 1);
    CHECK(assigned[0].submission == "first");
}

TEST_CASE("an idle agent that leaves is never assigned anything") {
    State state;
    apply(state, AgentReady{"dead"}, start);
    apply(state, AgentReady{"alive"}, start);
    apply(state, AgentLeft{"dead"}, start);
    CHECK(only<Assign>(apply(state, Submitted{"s", {}}, start))[0].agent == "alive");
}

TEST_CASE("a task's time starts with its assignment, not with its submission") {
    State state;
    state.config.task_timeout = 100s;
    apply(state, Submitted{"s", 10s}, start);
    CHECK_FALSE(next_deadline(state));
    apply(state, AgentReady{"a"}, start + 1h);
    CHECK(next_deadline(state) == start + 1h + 10s);
    CHECK(apply(state, TimePassed{}, start + 1h + 9s).empty());
    auto actions = apply(state, TimePassed{}, start + 1h + 10s);
    REQUIRE(only<Refuse>(actions).size() == 1);
    CHECK(only<Refuse>(actions)[0].reason == RefuseReason::timeout);
    CHECK(only<Kick>(actions).size() == 1);
    CHECK(only<DiscardResponse>(apply(state, AgentResponded{"a"}, start + 2h)).size() == 1);
}

TEST_CASE("a submission without a timeout has the pool's, and none if the pool has none") {
    State state;
    state.config.task_timeout = 5s;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", {}}, start);
    CHECK(next_deadline(state) == start + 5s);
    State unlimited;
    apply(unlimited, AgentReady{"a"}, start);
    apply(unlimited, Submitted{"s", {}}, start);
    CHECK_FALSE(next_deadline(unlimited));
}

TEST_CASE("an idle agent gets a heartbeat, and is kicked if it doesn't answer") {
    State state = with_heartbeats(3s);
    apply(state, AgentReady{"a"}, start);
    CHECK(only<SendHeartbeat>(apply(state, TimePassed{}, start + 3s)).size() == 1);
    CHECK(apply(state, Submitted{"s", {}}, start + 4s).empty());  // it owes an answer first
    CHECK(next_deadline(state) == start + 6s);
    auto actions = apply(state, TimePassed{}, start + 6s);
    REQUIRE(only<Kick>(actions).size() == 1);
    CHECK(only<Kick>(actions)[0].reason == KickReason::timeout);
    CHECK(only<Assign>(apply(state, AgentReady{"b"}, start + 7s)).size() == 1);
}

TEST_CASE("an answered heartbeat ends the agent's round without a kick") {
    State state = with_heartbeats(3s);
    apply(state, AgentReady{"a"}, start);
    apply(state, TimePassed{}, start + 3s);
    auto actions = apply(state, AgentResponded{"a"}, start + 4s);
    CHECK(only<Forget>(actions).size() == 1);
    CHECK(only<Kick>(actions).empty());
    CHECK(only<Deliver>(actions).empty());
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("a withdrawn submission is not handed out, and its response goes to nobody") {
    State state;
    apply(state, Submitted{"queued", {}}, start);
    apply(state, Withdrawn{"queued"}, start);
    CHECK(apply(state, AgentReady{"a"}, start).empty());
    apply(state, Submitted{"running", {}}, start);
    apply(state, Withdrawn{"running"}, start);
    auto actions = apply(state, AgentResponded{"a"}, start);
    CHECK(only<Deliver>(actions).empty());
    CHECK(only<Forget>(actions).size() == 1);
}

TEST_CASE("an agent that leaves after its submission was withdrawn puts nothing back") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", {}}, start);
    apply(state, Withdrawn{"s"}, start);
    apply(state, AgentLeft{"a"}, start);
    CHECK(apply(state, AgentReady{"b"}, start).empty());
}

TEST_CASE("a failed assignment keeps the task at the head and is tried again, ever more slowly") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"first", {}}, start);
    apply(state, Submitted{"second", {}}, start);
    CHECK(apply(state, AssignmentFailed{"a"}, start).empty());
    CHECK(next_deadline(state) == start + 100ms);
    auto again = only<Assign>(apply(state, TimePassed{}, start + 100ms));
    REQUIRE(again.size() == 1);
    CHECK(again[0].submission == "first");
    Time now = start + 100ms;
    for (Duration pause : {200ms, 400ms, 800ms, 1600ms, 3200ms, 5000ms, 5000ms}) {
        apply(state, AssignmentFailed{"a"}, now);
        CHECK(next_deadline(state) == now + pause);
        now += pause;
        CHECK(only<Assign>(apply(state, TimePassed{}, now)).size() == 1);
    }
}

TEST_CASE("assignments that fail together leave the queue in its order") {
    State state;
    for (const char* id : {"s1", "s2", "s3"})
        apply(state, Submitted{id, {}}, start);
    for (const char* id : {"a1", "a2", "a3"})
        apply(state, AgentReady{id}, start);
    for (const char* id : {"a1", "a2", "a3"})
        apply(state, AssignmentFailed{id}, start);
    CHECK(next_deadline(state) == start + 100ms);  // one trouble, one pause
    auto again = only<Assign>(apply(state, TimePassed{}, start + 1h));
    REQUIRE(again.size() == 3);
    CHECK(again[0].submission == "s1");
    CHECK(again[1].submission == "s2");
    CHECK(again[2].submission == "s3");
}

TEST_CASE("a task that can't be written for one agent goes to another") {
    State state;
    apply(state, AgentReady{"blocked"}, start);
    apply(state, AgentReady{"fine"}, start);
    apply(state, Submitted{"s", {}}, start);
    apply(state, AssignmentFailed{"blocked"}, start);
    CHECK(only<Assign>(apply(state, TimePassed{}, start + 1h)).at(0).agent == "fine");
}

TEST_CASE("stopping answers every submission and kicks every agent") {
    State state;
    apply(state, AgentReady{"busy"}, start);
    apply(state, Submitted{"running", {}}, start);
    apply(state, Submitted{"queued", {}}, start);
    auto actions = apply(state, Stopping{}, start);
    CHECK(only<Refuse>(actions).size() == 2);
    REQUIRE(only<Kick>(actions).size() == 1);
    CHECK(only<Kick>(actions)[0].reason == KickReason::stopped);
    CHECK(only<Refuse>(apply(state, Submitted{"late", {}}, start)).size() == 1);
    CHECK(only<Kick>(apply(state, AgentReady{"late"}, start)).size() == 1);
}

TEST_CASE("draining sends away what waits and what comes, and lets agents end what they are at") {
    State state = with_heartbeats(10s);
    for (const char* agent : {"busy", "idle"})
        apply(state, AgentReady{agent}, start);
    apply(state, Submitted{"running", 5s}, start);
    CHECK_FALSE(is_drained(state));
    CHECK(apply(state, Draining{}, start).empty());
    auto refused = only<Refuse>(apply(state, Submitted{"late", {}}, start));
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].reason == RefuseReason::stopped);
    CHECK(apply(state, AgentReady{"late"}, start).empty());        // told at the end: it would only come back
    CHECK(apply(state, Submitted{"running", {}}, start).empty());  // asked again: it is at work
    CHECK(apply(state, AgentReady{"busy"}, start).empty());
    CHECK(next_deadline(state) == start + 5s);
    CHECK_FALSE(is_drained(state));
    CHECK(only<Deliver>(apply(state, AgentResponded{"busy"}, start)).size() == 1);
    CHECK(is_drained(state));
    CHECK(only<Kick>(apply(state, Stopping{}, start)).size() == 2);
}

TEST_CASE("draining refuses the queue in its order, although a failed assignment has paused it") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s1", {}}, start);
    apply(state, Submitted{"s2", {}}, start);
    apply(state, AssignmentFailed{"a"}, start);
    auto actions = apply(state, Draining{}, start);
    auto refused = only<Refuse>(actions);
    REQUIRE(refused.size() == 2);
    CHECK(refused[0].submission == "s1");
    CHECK(refused[1].submission == "s2");
    CHECK(is_drained(state));
}

TEST_CASE("a task that is handed back to a draining pool is answered") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", {}}, start);
    apply(state, Draining{}, start);
    auto refused = only<Refuse>(apply(state, AgentLeft{"a"}, start));
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].submission == "s");
    CHECK(refused[0].reason == RefuseReason::stopped);
    CHECK(is_drained(state));
}

TEST_CASE("a draining pool does not wait for an agent whose submitter has gone") {
    State state;
    for (const char* id : {"1", "2"}) {
        apply(state, AgentReady{std::string("a") + id}, start);
        apply(state, Submitted{std::string("s") + id, {}}, start);
    }
    apply(state, Withdrawn{"s1"}, start);
    apply(state, Draining{}, start);
    CHECK_FALSE(is_drained(state));
    apply(state, Withdrawn{"s2"}, start);
    CHECK(is_drained(state));
}

TEST_CASE("the same submission twice is one") {
    State state;
    apply(state, Submitted{"s", {}}, start);
    apply(state, Submitted{"s", {}}, start);
    CHECK(only<Assign>(apply(state, AgentReady{"a"}, start)).size() == 1);
    CHECK(apply(state, AgentReady{"b"}, start).empty());
}

TEST_CASE("a task that an agent has since before the start is delivered, and given to nobody else") {
    State state;
    apply(state, Recovered{"a", "s", 10s, start + 4s}, start);
    CHECK(apply(state, Submitted{"s", {}}, start).empty());
    CHECK(apply(state, AgentReady{"b"}, start).empty());
    CHECK(apply(state, AgentReady{"a"}, start).empty());
    auto delivered = only<Deliver>(apply(state, AgentResponded{"a"}, start + 3s));
    REQUIRE(delivered.size() == 1);
    CHECK(delivered[0].agent == "a");
    CHECK(delivered[0].submission == "s");
    CHECK(state.submissions.empty());
}

TEST_CASE("a recovered task times out at its old deadline") {
    State state;
    state.config.task_timeout = 100s;
    apply(state, Recovered{"a", "s", 10s, start + 4s}, start);
    CHECK(next_deadline(state) == start + 4s);
    auto actions = apply(state, TimePassed{}, start + 4s);
    REQUIRE(only<Refuse>(actions).size() == 1);
    CHECK(only<Refuse>(actions)[0].submission == "s");
    CHECK(only<Refuse>(actions)[0].reason == RefuseReason::timeout);
    CHECK(only<Kick>(actions).size() == 1);
}

TEST_CASE("a response that was written before the start counts, whatever the deadline") {
    State state;
    apply(state, Recovered{"a", "s", 10s, start - 1h}, start);
    CHECK(only<Deliver>(apply(state, AgentResponded{"a"}, start)).size() == 1);
    CHECK(apply(state, TimePassed{}, start).empty());
}

TEST_CASE("a recovered task that is handed back has its whole timeout with the next agent") {
    State state;
    apply(state, Submitted{"queued", {}}, start);
    apply(state, Recovered{"a", "s", 10s, start + 1s}, start);
    CHECK(only<Forget>(apply(state, AgentLeft{"a"}, start)).size() == 1);
    auto assigned = only<Assign>(apply(state, AgentReady{"b"}, start + 1h));
    REQUIRE(assigned.size() == 1);
    CHECK(assigned[0].submission == "s");
    CHECK(assigned[0].timeout == Duration(10s));
    CHECK(next_deadline(state) == start + 1h + 10s);
}

TEST_CASE("a recovered task that nobody waits for keeps its agent busy, and its response is nobody's") {
    State state;
    apply(state, Recovered{"a", {}, {}, {}}, start);
    CHECK(apply(state, Submitted{"s", {}}, start).empty());
    auto actions = apply(state, AgentResponded{"a"}, start);
    CHECK(only<Deliver>(actions).empty());
    CHECK(only<Forget>(actions).size() == 1);
}

TEST_CASE("of two agents that claim a submission the first to be recovered has it") {
    State state;
    apply(state, Recovered{"a", "s", {}, {}}, start);
    apply(state, Recovered{"b", "s", {}, {}}, start);
    CHECK(only<Deliver>(apply(state, AgentResponded{"b"}, start)).empty());
    CHECK(only<Deliver>(apply(state, AgentResponded{"a"}, start)).size() == 1);
}

TEST_CASE("an assignment says how long the agent has") {
    State state;
    state.config.task_timeout = 5s;
    apply(state, AgentReady{"a"}, start);
    apply(state, AgentReady{"b"}, start);
    CHECK(only<Assign>(apply(state, Submitted{"own", 3s}, start)).at(0).timeout == Duration(3s));
    CHECK(only<Assign>(apply(state, Submitted{"default", {}}, start)).at(0).timeout == Duration(5s));
}
