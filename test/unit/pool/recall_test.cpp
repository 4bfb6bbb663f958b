// Agents that end their work when they are told to: until they have, or have had the time for it, nobody else
// gets what they are at.
#include "pool_events.hpp"

namespace {

// An agent at work since the start on "s", which has 10 s.
State at_work() {
    State state;
    apply(state, AgentReady{"a", true}, start);
    apply(state, Submitted{"s", 10s}, start);
    return state;
}

State after_deadline() {
    State state = at_work();
    apply(state, TimePassed{}, start + 10s);
    return state;
}

State after_withdrawal() {
    State state = at_work();
    apply(state, Withdrawn{"s"}, start + 1s);
    return state;
}

// "s" has been withdrawn, and is there again, while the agent has not ended its work.
State submitted_again() {
    State state = after_withdrawal();
    REQUIRE(apply(state, Submitted{"s", 10s}, start + 2s).empty());
    return state;
}

void check_is_over(const State& state) {
    CHECK(state.agents.empty());
    CHECK(state.submissions.empty());
    CHECK(state.ending.empty());
    CHECK_FALSE(next_deadline(state));
}

}  // namespace

TEST_CASE("a kicked agent is told to end, and its task goes to another one when it has") {
    State state = at_work();
    apply(state, AgentReady{"b"}, start);
    auto actions = apply(state, KickRequested{"a"}, start + 1s);
    REQUIRE(actions.size() == 1);
    CHECK(only<Recall>(actions).at(0).agent == "a");
    CHECK(load(state).ending == 1);
    CHECK(apply(state, KickRequested{"a"}, start + 2s).empty());  // once is enough
    actions = apply(state, AgentLeft{"a"}, start + 3s);
    CHECK(only<Forget>(actions).size() == 1);
    CHECK(only<Assign>(actions).at(0).agent == "b");
    CHECK(state.ending.empty());
    CHECK(only<Deliver>(apply(state, AgentResponded{"b"}, start + 4s)).size() == 1);
    check_is_over(state);
}

TEST_CASE("what a kicked agent has done by then counts, and one that does not end loses its task") {
    State state = at_work();
    apply(state, KickRequested{"a"}, start + 1s);
    CHECK(only<Deliver>(apply(state, AgentResponded{"a"}, start + 2s)).size() == 1);
    check_is_over(state);
    state = at_work();
    apply(state, AgentReady{"b"}, start);
    apply(state, KickRequested{"a"}, start + 1s);
    CHECK(apply(state, TimePassed{}, start + 1s + ending_time - 1ms).empty());
    auto actions = apply(state, TimePassed{}, start + 1s + ending_time);
    CHECK(only<Kick>(actions).at(0).agent == "a");
    CHECK(only<Assign>(actions).at(0).agent == "b");
    CHECK(only<Refuse>(actions).empty());
}

TEST_CASE("a task that is withdrawn from a kicked agent is done by nobody") {
    State state = at_work();
    apply(state, KickRequested{"a"}, start + 1s);
    apply(state, Withdrawn{"s"}, start + 2s);
    CHECK(only<Forget>(apply(state, AgentLeft{"a"}, start + 3s)).size() == 1);
    check_is_over(state);
}

TEST_CASE("a kicked agent that cannot be told loses its task at once, and an idle one is dismissed") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", 10s}, start);
    apply(state, AgentReady{"b"}, start);
    auto actions = apply(state, KickRequested{"a"}, start + 1s);
    CHECK(only<Kick>(actions).at(0).agent == "a");
    CHECK(only<Assign>(actions).at(0).agent == "b");
    CHECK_FALSE(state.agents.contains("a"));
    apply(state, AgentReady{"c"}, start + 1s);
    CHECK(only<Kick>(apply(state, KickRequested{"c"}, start + 2s)).at(0).agent == "c");
    CHECK(apply(state, KickRequested{"unknown"}, start + 2s).empty());
    CHECK(load(state).busy == 1);
}

TEST_CASE("the deadline tells the agent to end, and the task is refused once it has") {
    State state = at_work();
    auto actions = apply(state, TimePassed{}, start + 10s);
    REQUIRE(actions.size() == 1);
    CHECK(only<Recall>(actions).at(0).reason == KickReason::timeout);
    CHECK(load(state).ending == 1);
    CHECK(state.agents.at("a").since == start + 10s);
    actions = apply(state, AgentLeft{"a"}, start + 11s);
    REQUIRE(only<Refuse>(actions).size() == 1);
    CHECK(only<Refuse>(actions)[0].reason == RefuseReason::timeout);
    CHECK(only<Refuse>(actions)[0].agent == "a");
    CHECK(only<Forget>(actions).size() == 1);
    CHECK(state.statistics.kicked == 1);
    CHECK(state.statistics.handed_back == 0);
    check_is_over(state);
}

TEST_CASE("however the work of a recalled agent ends, its task has timed out") {
    for (const Event& end :
         {Event(AgentLeft{"a"}), Event(AgentDied{"a"}), Event(AgentFailed{"a"}), Event(AgentTimedOut{"a"})}) {
        State state = after_deadline();
        auto actions = apply(state, end, start + 11s);
        REQUIRE(only<Refuse>(actions).size() == 1);
        CHECK(only<Refuse>(actions)[0].reason == RefuseReason::timeout);
        CHECK(state.statistics.kicked == 1);
        check_is_over(state);
    }
}

TEST_CASE("a response that crosses the order to end counts, with all the time that it took") {
    State state = after_deadline();
    auto actions = apply(state, AgentResponded{"a"}, start + 11s);
    CHECK(only<Deliver>(actions).at(0).submission == "s");
    CHECK(only<Forget>(actions).size() == 1);
    CHECK(state.statistics.working.max() == 11s);
    check_is_over(state);
}

TEST_CASE("a response that crosses the order to end and can't be passed on refuses the task") {
    State state = after_deadline();
    auto actions = apply(state, ResponseRejected{"a"}, start + 11s);
    CHECK(only<Refuse>(actions).at(0).reason == RefuseReason::rejected);
    check_is_over(state);
}

TEST_CASE("an agent that doesn't end within ten seconds loses its task all the same") {
    State state = after_deadline();
    CHECK(next_deadline(state) == start + 20s);
    CHECK(apply(state, TimePassed{}, start + 19s).empty());
    auto actions = apply(state, TimePassed{}, start + 20s);
    CHECK(only<Refuse>(actions).at(0).reason == RefuseReason::timeout);
    CHECK(only<Kick>(actions).size() == 1);
    CHECK(state.statistics.kicked == 1);
    check_is_over(state);
}

TEST_CASE("an agent that doesn't say when it has ended is kicked at the deadline") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", 10s}, start);
    auto actions = apply(state, TimePassed{}, start + 10s);
    CHECK(only<Kick>(actions).size() == 1);
    CHECK(only<Refuse>(actions).size() == 1);
    CHECK(only<Recall>(actions).empty());
}

TEST_CASE("an agent that doesn't answer its heartbeat is kicked, not recalled") {
    State state;
    state.config.idle_timeout = 1s;
    apply(state, AgentReady{"a", true}, start);
    apply(state, TimePassed{}, start + 1s);
    auto actions = apply(state, TimePassed{}, start + 2s);
    CHECK(only<Kick>(actions).size() == 1);
    CHECK(only<Recall>(actions).empty());
}

TEST_CASE("a withdrawal tells the agent to end, and nothing is left once it has") {
    State state = at_work();
    auto actions = apply(state, Withdrawn{"s"}, start + 1s);
    REQUIRE(actions.size() == 1);
    CHECK(only<Recall>(actions).at(0).reason == KickReason::withdrawn);
    CHECK(state.submissions.empty());
    actions = apply(state, AgentLeft{"a"}, start + 2s);
    REQUIRE(actions.size() == 1);
    CHECK(only<Forget>(actions).size() == 1);
    CHECK(state.statistics.kicked == 0);
    check_is_over(state);
}

TEST_CASE("a withdrawn submission that comes again is not given to another while its agent ends") {
    State state = submitted_again();
    CHECK(apply(state, AgentReady{"b"}, start + 3s).empty());
    CHECK(assigned_to(apply(state, Submitted{"other", {}}, start + 3s), "b") == "other");
    apply(state, AgentReady{"c"}, start + 3s);
    auto actions = apply(state, AgentLeft{"a"}, start + 4s);
    CHECK(assigned_to(actions, "c") == "s");
    CHECK(only<Assign>(actions).at(0).timeout == Duration(10s));
    CHECK(only<Refuse>(actions).empty());
    CHECK(state.ending.empty());
}

TEST_CASE("however the agent of a withdrawn submission ends, one that came again goes to the next") {
    for (const Event& end :
         {Event(AgentLeft{"a"}), Event(AgentDied{"a"}), Event(AgentFailed{"a"}), Event(AgentTimedOut{"a"})}) {
        State state = submitted_again();
        CHECK(only<Refuse>(apply(state, end, start + 3s)).empty());
        CHECK(assigned_to(apply(state, AgentReady{"b"}, start + 3s), "b") == "s");
        CHECK(state.submissions.at("s").deaths == 0);
    }
}

TEST_CASE("one that came again keeps its place in the queue") {
    State state = after_withdrawal();
    apply(state, Submitted{"before", {}}, start + 2s);
    apply(state, Submitted{"s", {}}, start + 2s);
    apply(state, Submitted{"behind", {}}, start + 2s);
    apply(state, AgentLeft{"a"}, start + 3s);
    for (const char* id : {"before", "s", "behind"})
        CHECK(assigned_to(apply(state, AgentReady{std::string("agent-of-") + id}, start + 3s),
                          std::string("agent-of-") + id) == id);
}

TEST_CASE("one that came again is given away after ten seconds, if its agent doesn't end") {
    State state = submitted_again();
    auto actions = apply(state, TimePassed{}, start + 11s);
    CHECK(only<Kick>(actions).size() == 1);
    CHECK(only<Refuse>(actions).empty());
    CHECK(assigned_to(apply(state, AgentReady{"b"}, start + 12s), "b") == "s");
}

TEST_CASE("a response to what was withdrawn answers the one that came again") {
    State state = submitted_again();
    CHECK(only<Deliver>(apply(state, AgentResponded{"a"}, start + 3s)).at(0).submission == "s");
    check_is_over(state);
}

TEST_CASE("what is withdrawn once more is gone, and may come a third time") {
    State state = submitted_again();
    CHECK(apply(state, Withdrawn{"s"}, start + 3s).empty());
    CHECK(state.submissions.empty());
    CHECK(next_deadline(state) == start + 11s);
    CHECK(apply(state, Submitted{"s", {}}, start + 4s).empty());
    apply(state, AgentLeft{"a"}, start + 5s);
    CHECK(assigned_to(apply(state, AgentReady{"b"}, start + 5s), "b") == "s");
}

TEST_CASE("a submission that is withdrawn after its deadline comes again to the next agent") {
    State state = after_deadline();
    CHECK(apply(state, Withdrawn{"s"}, start + 11s).empty());
    CHECK(apply(state, Submitted{"s", {}}, start + 12s).empty());
    CHECK(only<Refuse>(apply(state, AgentLeft{"a"}, start + 13s)).empty());
    CHECK(assigned_to(apply(state, AgentReady{"b"}, start + 13s), "b") == "s");
}

TEST_CASE("a draining pool refuses one that came again, once its agent has ended") {
    State state = submitted_again();
    CHECK(apply(state, Draining{}, start + 3s).empty());
    CHECK_FALSE(is_drained(state));
    CHECK(only<Refuse>(apply(state, AgentLeft{"a"}, start + 4s)).at(0).reason == RefuseReason::stopped);
    CHECK(is_drained(state));
}

TEST_CASE("an agent whose task could not be written waits on, although that was withdrawn meanwhile") {
    State state = after_withdrawal();
    apply(state, AssignmentFailed{"a"}, start + 2s);
    apply(state, Submitted{"other", {}}, start + 2s);
    apply(state, Submitted{"s", {}}, start + 2s);
    CHECK(assigned_to(apply(state, TimePassed{}, start + 3s), "a") == "other");
    CHECK(assigned_to(apply(state, AgentReady{"b"}, start + 3s), "b") == "s");
}

TEST_CASE("a recovered agent ends when it is told, too") {
    State state;
    Recovered event{"a", "s", 10s, start + 4s};
    event.ends_when_told = true;
    apply(state, event, start);
    CHECK(only<Recall>(apply(state, TimePassed{}, start + 4s)).size() == 1);
}

TEST_CASE("stopping refuses what agents have at once, and lets them end") {
    State state = at_work();
    apply(state, AgentReady{"idle", true}, start);
    auto actions = apply(state, Stopping{}, start + 1s);
    CHECK(only<Refuse>(actions).at(0).reason == RefuseReason::stopped);
    REQUIRE(only<Recall>(actions).size() == 1);
    CHECK(only<Recall>(actions)[0].reason == KickReason::stopped);
    REQUIRE(only<Kick>(actions).size() == 1);
    CHECK(only<Kick>(actions)[0].agent == "idle");
    actions = apply(state, AgentLeft{"a"}, start + 2s);
    REQUIRE(actions.size() == 1);
    CHECK(only<Forget>(actions).size() == 1);
    check_is_over(state);
}

TEST_CASE(
    "stopping leaves agents alone that have been told already, and ends their respite the second time") {
    State state = after_deadline();
    auto actions = apply(state, Stopping{}, start + 11s);
    CHECK(only<Refuse>(actions).size() == 1);
    CHECK(only<Recall>(actions).empty());
    CHECK(only<Kick>(actions).empty());
    actions = apply(state, Stopping{}, start + 12s);
    REQUIRE(only<Kick>(actions).size() == 1);
    CHECK(only<Kick>(actions)[0].reason == KickReason::stopped);
    check_is_over(state);
}
