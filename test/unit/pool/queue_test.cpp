// What an operator wants of the queue.
#include "pool_events.hpp"

namespace {

// The submissions of `text`, a letter each, in this order; upper-case ones have the priority 1.
State queue_of(const std::string& text) {
    State state;
    for (char letter : text) {
        Submitted event{SubmissionId(std::string(1, letter)), std::nullopt};
        event.priority = letter < 'a' ? 1 : 0;
        apply(state, event, start);
    }
    return state;
}

// The order in which one agent gets them.
std::string order_of(State state) {
    std::string order;
    while (state.line.queued() > 0) {
        AgentId agent("agent");
        auto assigned = only<Assign>(apply(state, AgentReady{agent}, start));
        REQUIRE(assigned.size() == 1);
        order += assigned[0].submission.text();
        apply(state, AgentResponded{agent}, start);
    }
    return order;
}

std::string after_move(const std::string& queue, const std::string& moved,
                       std::optional<SubmissionId> before) {
    State state = queue_of(queue);
    CHECK(apply(state, Moved{moved, before}, start).empty());
    return order_of(std::move(state));
}

}  // namespace

TEST_CASE("a submission is moved before another one or before all, and the others keep their order") {
    CHECK(after_move("abcd", "c", std::nullopt) == "cabd");
    CHECK(after_move("abcd", "d", "b") == "adbc");
    CHECK(after_move("abcd", "a", "c") == "bacd");
    CHECK(after_move("abcd", "a", "b") == "abcd");
    CHECK(after_move("abcd", "a", std::nullopt) == "abcd");
    CHECK(after_move("abcd", "b", "b") == "abcd");
}

TEST_CASE("a moved submission takes the priority of the one before which it is put") {
    CHECK(order_of(queue_of("abCD")) == "CDab");
    CHECK(after_move("abCD", "b", std::nullopt) == "bCDa");
    CHECK(after_move("abCD", "b", "D") == "CbDa");
    CHECK(after_move("abCD", "C", "b") == "DaCb");
}

TEST_CASE("what is submitted later is behind the moved ones, and what is handed back in front") {
    State state = queue_of("abc");
    apply(state, Moved{"c", "b"}, start);
    apply(state, Submitted{"d", std::nullopt}, start);
    apply(state, AgentReady{"agent"}, start);
    apply(state, AgentLeft{"agent"}, start);
    std::string order = order_of(std::move(state));
    CHECK(order == "acbd");
}

TEST_CASE("moves of what is not queued, or before what is not, change nothing") {
    State state = queue_of("abc");
    apply(state, AgentReady{"agent"}, start);  // gets a
    for (const Moved& event : {Moved{"a", std::nullopt}, Moved{"c", "a"}, Moved{"x", "b"}, Moved{"b", "x"}})
        CHECK(apply(state, event, start).empty());
    apply(state, AgentResponded{"agent"}, start);
    std::string order = order_of(std::move(state));
    CHECK(order == "bc");
    State empty;
    CHECK(apply(empty, Moved{"a", std::nullopt}, start).empty());
    CHECK(apply(empty, Cancelled{"a"}, start).empty());
}

TEST_CASE("submissions with labels are moved among all others") {
    State state = queue_of("ab");
    Submitted labelled{"g", std::nullopt};
    labelled.labels = *base::Labels::of({"gpu"});
    apply(state, labelled, start);
    apply(state, Moved{"g", "a"}, start);
    AgentReady agent{"agent"};
    agent.labels = labelled.labels;
    CHECK(only<Assign>(apply(state, agent, start)).at(0).submission == "g");
}

TEST_CASE("a cancelled submission is refused, once, and one that an agent has is not") {
    State state = queue_of("ab");
    auto refused = only<Refuse>(apply(state, Cancelled{"b"}, start));
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].submission == "b");
    CHECK(refused[0].reason == RefuseReason::cancelled);
    CHECK_FALSE(refused[0].agent);
    CHECK(state.statistics.withdrawn == 1);
    CHECK(apply(state, Cancelled{"b"}, start).empty());
    apply(state, AgentReady{"agent"}, start);
    CHECK(apply(state, Cancelled{"a"}, start).empty());
    CHECK(only<Deliver>(apply(state, AgentResponded{"agent"}, start)).size() == 1);
}
