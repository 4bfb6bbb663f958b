// How many tasks are pulled from which queue.
#include "agent_side_events.hpp"

namespace {

const base::Labels none;
const base::Labels gpu = labels({"gpu"});

// All that is outstanding.
std::size_t outstanding(const AgentEdge& edge, const Queue& queue) {
    return edge.state.queues.at(queue).outstanding;
}

void end_pull(AgentEdge& edge) {
    edge.feed(PullEnded{edge.state.pulls.rbegin()->first});
}

}  // namespace

TEST_CASE("the only queue is waited for, by as many as are idle") {
    AgentEdge edge(3);
    auto pull = edge.only_one<Pull>();
    CHECK(pull.count == 3);
    CHECK(pull.waits);
    edge.feed(Idle{{{none, 5}}});
    CHECK(edge.only_one<Pull>().count == 2);
    edge.feed(Idle{{{none, 5}}});
    CHECK(edge.actions.empty());
}

TEST_CASE("few pulls wait for a queue, and the next one is for all that are idle by then") {
    AgentEdge edge(1);
    for (std::size_t idle = 2; idle <= 6; ++idle)
        edge.feed(Idle{{{none, idle}}});
    CHECK(edge.state.pulls.size() == 2);
    CHECK(outstanding(edge, {}) == 2);
    edge.deliver("t");
    CHECK(edge.only_one<Pull>().count == 4);
    CHECK(outstanding(edge, {}) == 5);
    edge.feed(PullEnded{edge.state.pulls.begin()->first});
    CHECK(edge.only_one<Pull>().count == 1);
}

TEST_CASE("nothing is pulled without a connection, or without idle agents") {
    AgentEdge edge(0);
    CHECK(edge.actions.empty());
    edge.feed(Disconnected{});
    edge.feed(Idle{{{none, 1}}});
    CHECK(edge.actions.empty());
    edge.feed(Connected{});
    CHECK(edge.only_one<Pull>().count == 1);
    edge.feed(Disconnected{});
    CHECK(edge.state.pulls.empty());
    edge.feed(Connected{});
    CHECK(edge.only_one<Pull>().count == 1);
}

TEST_CASE("a task that is being claimed keeps an agent") {
    AgentEdge edge(2);
    edge.deliver("t");
    CHECK_FALSE(edge.has<Pull>());
    CHECK(outstanding(edge, {}) == 1);
    edge.written(WriteResult::written, 1);
    CHECK_FALSE(edge.has<Pull>());
    edge.feed(Idle{{{none, 1}}});
    CHECK_FALSE(edge.has<Pull>());
    CHECK(outstanding(edge, {}) == 1);
}

TEST_CASE("a pull that has ended without a task is made again, and so is one that never ends") {
    AgentEdge edge(1);
    end_pull(edge);
    CHECK(edge.only_one<Pull>().waits);
    edge.wait(24s);
    CHECK(edge.actions.empty());
    edge.wait(1s);
    CHECK(edge.only_one<Pull>().count == 1);
}

TEST_CASE("pulls end when their agents are not idle any more") {
    AgentEdge edge(2);
    edge.feed(Idle{{}});
    CHECK(edge.only_one<EndPull>().pull == PullId{1});
    CHECK(edge.state.pulls.empty());
    edge.feed(Idle{{{none, 1}}});
    CHECK(edge.only_one<Pull>().count == 1);
    edge.feed(Draining{});
    CHECK(edge.has<EndPull>());
}

TEST_CASE("higher priorities are asked first, and lower ones are pulled when they have nothing") {
    Queue high{none, 5};
    Queue middle{none, 0};
    Queue low{none, -5};
    AgentEdge edge(1, {low, high, middle});
    auto pull = edge.only_one<Pull>();
    CHECK(pull.queue == high);
    CHECK_FALSE(pull.waits);
    end_pull(edge);
    auto pulls = only<Pull>(edge.actions);
    REQUIRE(pulls.size() == 2);
    CHECK(pulls[0].queue == high);
    CHECK(pulls[0].waits);
    CHECK(pulls[1].queue == middle);
    CHECK_FALSE(pulls[1].waits);
    end_pull(edge);
    CHECK(outstanding(edge, middle) == 1);
    CHECK(outstanding(edge, low) == 1);
    for (const auto& [id, waiting] : edge.state.pulls)
        CHECK(waiting.waits);
}

TEST_CASE("a priority with tasks keeps lower ones from being pulled") {
    AgentEdge edge(2, {{none, 1}, {none, 0}});
    CHECK(edge.only_one<Pull>().count == 2);
    edge.deliver("t");
    edge.deliver("u");
    CHECK_FALSE(edge.has<Pull>());
    edge.written(WriteResult::written, 1, "t");
    edge.written(WriteResult::written, 1, "u");
    edge.feed(Idle{{{none, 1}}});
    CHECK(edge.only_one<Pull>().queue.priority == 1);
    CHECK_FALSE(edge.only_one<Pull>().waits);
}

TEST_CASE("a queue is pulled only for agents that have its labels") {
    AgentEdge edge(3, {{gpu, 1}, {none, 0}});
    CHECK(edge.only_one<Pull>().queue.labels == none);
    edge.feed(Idle{{{none, 3}, {gpu, 2}}});
    auto pull = edge.only_one<Pull>();
    CHECK(pull.queue.labels == gpu);
    CHECK(pull.count == 2);
}

TEST_CASE("queues of one priority are asked for no more tasks than there are agents, in turn") {
    AgentEdge edge(0, {{gpu, 0}, {none, 0}, {labels({"x"}), 0}});
    edge.feed(Idle{{{labels({"gpu", "x"}), 1}}});
    std::vector<base::Labels> order;
    for (int times = 0; times < 3; ++times) {
        auto pull = only<Pull>(edge.actions).back();
        order.push_back(pull.queue.labels);
        CHECK(pull.count == 1);
        CHECK(pull.waits == (times == 2));
        if (!pull.waits) end_pull(edge);
    }
    CHECK(std::set(order.begin(), order.end()).size() == 3);
}

TEST_CASE("tasks that any agent can take are not reckoned to be for those with more labels") {
    AgentEdge edge(0, {{gpu, 0}, {none, 0}});
    edge.feed(Idle{{{none, 1}, {gpu, 1}}});
    // One of the two queues is asked for both, or for the one that fits it.
    auto pulls = only<Pull>(edge.actions);
    std::size_t all = 0;
    for (const Pull& pull : pulls)
        all += pull.count;
    CHECK(all == 2);
}

TEST_CASE("a queue that is gone is not pulled any more") {
    AgentEdge edge(1, {{none, 0}, {none, 1}});
    edge.feed(Queues{{{none, 0}}});
    CHECK(edge.has<EndPull>());
    CHECK(edge.only_one<Pull>().waits);
    CHECK(edge.state.queues.size() == 1);
}
