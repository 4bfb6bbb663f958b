// What becomes of a task whose agent dies, fails or can't answer it.
#include "pool_events.hpp"

namespace {

// A fresh agent takes the task that is next; its number keeps it apart from those before it.
AgentId next_agent(State& state, int number) {
    AgentId agent = "agent" + std::to_string(number);
    apply(state, AgentReady{agent}, start);
    return agent;
}

Submitted with_failures(const SubmissionId& id) {
    Submitted event{id, {}};
    event.wants_failures = true;
    return event;
}

std::optional<RefuseReason> refusal(const std::vector<Action>& actions) {
    auto refused = only<Refuse>(actions);
    return refused.empty() ? std::nullopt : std::optional(refused[0].reason);
}

}  // namespace

TEST_CASE("the task of an agent that died goes to the front of the queue, and waits from then on") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"first", {}}, start);
    apply(state, Submitted{"second", {}}, start);
    auto actions = apply(state, AgentDied{"a"}, start + 5s);
    CHECK(only<Forget>(actions).size() == 1);
    CHECK(state.submissions.at("first").since == start + 5s);
    CHECK(assigned_to(apply(state, AgentReady{"b"}, start + 5s), "b") == "first");
    CHECK(state.statistics.died == 1);
    CHECK(state.statistics.handed_back == 0);
}

TEST_CASE("the third death at work on a task makes it lost") {
    State state;
    apply(state, Submitted{"deadly", {}}, start);
    for (int number : {1, 2})
        CHECK_FALSE(refusal(apply(state, AgentDied{next_agent(state, number)}, start)));
    auto refused = only<Refuse>(apply(state, AgentDied{next_agent(state, 3)}, start));
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].reason == RefuseReason::lost);
    CHECK(refused[0].agent == "agent3");
    CHECK(state.submissions.empty());
    CHECK(state.statistics.died == 3);
    CHECK(state.statistics.failed == 1);
}

TEST_CASE("an agent that dies without a task takes nothing along") {
    State state;
    apply(state, AgentReady{"a"}, start);
    CHECK(only<Forget>(apply(state, AgentDied{"a"}, start)).size() == 1);
    CHECK(apply(state, Submitted{"s", {}}, start).empty());
    CHECK(apply(state, AgentDied{"stranger"}, start).empty());
    CHECK(state.statistics.died == 0);
}

TEST_CASE("the task of an agent that dies while the pool drains is answered") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", {}}, start);
    apply(state, Draining{}, start);
    CHECK(refusal(apply(state, AgentDied{"a"}, start)) == RefuseReason::stopped);
    CHECK(is_drained(state));
}

TEST_CASE("who wants failures hears of the first") {
    State state;
    apply(state, with_failures("s"), start);
    auto refused = only<Refuse>(apply(state, AgentFailed{next_agent(state, 1)}, start));
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].reason == RefuseReason::failed);
    CHECK(refused[0].agent == "agent1");
    CHECK(state.statistics.failed == 1);
    CHECK(state.statistics.handed_back == 0);
}

TEST_CASE("who asks again for failures hears of them from then on") {
    State state;
    apply(state, Recovered{"a", "s", {}, {}}, start);
    CHECK(apply(state, with_failures("s"), start).empty());
    CHECK(apply(state, Submitted{"s", {}}, start).empty());
    CHECK(refusal(apply(state, AgentFailed{"a"}, start)) == RefuseReason::failed);
}

TEST_CASE("without a wish for failures the third of a task with a timeout of its own is a timeout") {
    State state;
    apply(state, Submitted{"s", 1h}, start);
    for (int number : {1, 2})
        CHECK_FALSE(refusal(apply(state, AgentFailed{next_agent(state, number)}, start)));
    CHECK(refusal(apply(state, AgentFailed{next_agent(state, 3)}, start)) == RefuseReason::timeout);
    CHECK(state.statistics.handed_back == 2);
    CHECK(state.statistics.timed_out == 1);
}

TEST_CASE("a task without a timeout of its own is handed back however often agents fail at it") {
    State state;
    state.config.task_timeout = 1h;
    apply(state, Submitted{"s", {}}, start);
    for (int number = 1; number <= 10; ++number)
        CHECK_FALSE(refusal(apply(state, AgentFailed{next_agent(state, number)}, start)));
    CHECK(state.statistics.handed_back == 10);
    CHECK(state.line.queued() == 1);
}

TEST_CASE("a task at which an agent failed is the next to go out") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"first", {}}, start);
    apply(state, Submitted{"second", {}}, start);
    apply(state, AgentFailed{"a"}, start);
    CHECK(assigned_to(apply(state, AgentReady{"b"}, start), "b") == "first");
}

TEST_CASE("a response that can't be passed on refuses the task") {
    State state;
    apply(state, AgentReady{"a"}, start);
    apply(state, Submitted{"s", {}}, start);
    auto actions = apply(state, ResponseRejected{"a"}, start);
    REQUIRE(only<Refuse>(actions).size() == 1);
    CHECK(only<Refuse>(actions)[0].reason == RefuseReason::rejected);
    CHECK(only<Refuse>(actions)[0].agent == "a");
    CHECK(only<Forget>(actions).size() == 1);
    CHECK(state.statistics.failed == 1);
}

TEST_CASE("a response that can't be passed on is nobody's if nobody waits for it") {
    State state;
    apply(state, AgentReady{"idle"}, start);
    CHECK(apply(state, ResponseRejected{"idle"}, start).empty());
    CHECK(apply(state, ResponseRejected{"stranger"}, start).empty());
    apply(state, Submitted{"s", {}}, start);
    apply(state, Withdrawn{"s"}, start);
    auto actions = apply(state, ResponseRejected{"idle"}, start);
    CHECK(only<Refuse>(actions).empty());
    CHECK(only<Forget>(actions).size() == 1);
}

TEST_CASE("an agent that ends its work at the deadline is heard before the deadline itself") {
    State state;
    apply(state, AgentReady{"a", true}, start);
    apply(state, Submitted{"s", 10s}, start);
    auto actions = apply(state, AgentTimedOut{"a"}, start + 9900ms);
    CHECK(refusal(actions) == RefuseReason::timeout);
    CHECK(only<Forget>(actions).size() == 1);
    CHECK(only<Recall>(actions).empty());
    CHECK(state.statistics.kicked == 1);
    CHECK_FALSE(next_deadline(state));
}

TEST_CASE("an agent without a task has no time that could be over") {
    State state;
    apply(state, AgentReady{"a", true}, start);
    CHECK(apply(state, AgentTimedOut{"a"}, start).empty());
    CHECK(apply(state, AgentTimedOut{"stranger"}, start).empty());
    CHECK(assigned_to(apply(state, Submitted{"s", {}}, start), "a") == "s");
}

TEST_CASE("deaths and failures on other hosts count") {
    State state;
    Submitted deadly{"deadly", {}};
    deadly.deaths = 2;
    apply(state, deadly, start);
    CHECK(refusal(apply(state, AgentDied{next_agent(state, 1)}, start)) == RefuseReason::lost);
    Submitted difficult{"difficult", 60s};
    difficult.failures = 2;
    apply(state, difficult, start);
    CHECK(refusal(apply(state, AgentFailed{next_agent(state, 2)}, start)) == RefuseReason::timeout);
}

namespace {

// Agents of one account, each of which takes the next task and hands it back, or does it.
struct AccountAgents {
    State state;
    Time now = start;
    int number = 0;

    AccountAgents() {
        state.next_back_turn = 0;
        for (const char* id : {"bad", "good1", "good2", "good3"})
            apply(state, with_failures(id), now);
    }
    std::pair<AgentId, SubmissionId> next() {
        now += 1s;
        AgentId agent = "of-account" + std::to_string(++number);
        auto actions = apply(state, AgentReady{agent, false, {}, "claude-1"}, now);
        return {agent, assigned_to(actions, agent)};
    }
    std::vector<Action> hand_back(const AgentId& agent, const std::string& reason = "overloaded") {
        return apply(state, AgentLeft{agent, false, reason}, now += 1s);
    }
};

}  // namespace

TEST_CASE("a task that is handed back while its account does others has failed the fifth time") {
    AccountAgents agents;
    std::vector<SubmissionId> order;
    std::vector<Action> last;
    for (int turn = 0; turn < 8; ++turn) {
        auto [agent, task] = agents.next();
        order.push_back(task);
        if (task == "bad")
            last = agents.hand_back(agent);
        else
            apply(agents.state, AgentResponded{agent}, agents.now);
    }
    CHECK(order == std::vector<SubmissionId>{"bad", "bad", "good1", "good2", "good3", "bad", "bad", "bad"});
    CHECK(refusal(last) == RefuseReason::failed);
    CHECK(agents.state.submissions.empty());
}

TEST_CASE("an outage of the account is not the task's") {
    AccountAgents agents;
    auto [busy, first] = agents.next();
    CHECK(first == "bad");
    auto [other, second] = agents.next();
    CHECK(second == "good1");
    agents.hand_back(busy);
    apply(agents.state, AgentResponded{other}, agents.now);  // it was under way before
    for (int turn = 0; turn < 40; ++turn)
        CHECK_FALSE(refusal(agents.hand_back(agents.next().first)));
    CHECK(agents.state.submissions.size() == 3);
}

TEST_CASE("only the same reason counts, and one that says something about the task") {
    AccountAgents agents;
    for (int turn = 0; turn < 30; ++turn) {
        auto [agent, task] = agents.next();
        if (task.text().starts_with("good"))
            apply(agents.state, AgentResponded{agent}, agents.now);
        else
            CHECK_FALSE(refusal(agents.hand_back(agent, turn % 2 ? "overloaded" : "usage_limit")));
    }
    auto [agent, task] = agents.next();
    CHECK(task == "bad");
    for (int turn = 0; turn < 10; ++turn) {
        CHECK_FALSE(refusal(agents.hand_back(agent, "")));
        agent = agents.next().first;
    }
}
