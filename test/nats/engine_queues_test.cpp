// The queues of a pool, of which each edge knows all.
#include "engine_world.hpp"
#include "io/internal_error.hpp"
#include "io/task_group.hpp"

#include <algorithm>

using namespace test;

namespace {

asio::awaitable<void> meet_queues(EngineWorld& world, const NatsServer& server) {
    edge::Queue labelled = queue_of({"a"}, 3);
    Host& first = world.add(engine_settings(server, "h1"));
    Host& second = world.add(engine_settings(server, "h2"));
    co_await first.connected();
    co_await second.connected();
    REQUIRE(first.queues.size() == 1);
    CHECK(first.queues[0].empty());
    co_await first.publish("t1", "x", labelled);
    co_await second.until([&] { return second.queues.size() == 2; });
    CHECK(second.queues.back() == std::vector{labelled});
    co_await second.publish("t2", "x", labelled);
    CHECK(second.queues.size() == 2);
    Host& third = world.add(engine_settings(server, "h3"));
    co_await third.until([&] { return !third.queues.empty(); });
    CHECK(third.queues.back() == std::vector{labelled});
    CHECK(third.stores == first.stores);
    for (int i = 0; i < 2; ++i) {
        auto delivered = co_await third.take(labelled);
        CHECK(delivered.body == "x");
    }
}

asio::awaitable<void> publish_into(Host& host, int first) {
    for (int priority = first; priority < first + 40; ++priority)
        co_await host.publish("t" + std::to_string(priority), "x", queue_of({}, priority));
}

// Each list that an edge asks for, because of the other one's queues, is late for some of its own.
asio::awaitable<void> create_queues(EngineWorld& world, const NatsServer& server) {
    std::vector<Host*> hosts;
    for (const char* self : {"h1", "h2"})
        hosts.push_back(&world.add(engine_settings(server, self)));
    for (Host* host : hosts)
        co_await host->connected();
    io::TaskGroup publishers(world.loop.get_executor(), io::end_process);
    publishers.spawn("a publisher", publish_into(*hosts[0], 0));
    publishers.spawn("another one", publish_into(*hosts[1], 100));
    co_await publishers.join();
    for (Host* host : hosts) {
        co_await host->until([&] { return host->queues.back().size() == 80; });
        std::vector<edge::Queue> before;
        for (std::vector<edge::Queue> now : host->queues) {
            std::ranges::sort(now);
            CHECK(std::ranges::includes(now, before));
            before = std::move(now);
        }
    }
}

}  // namespace

TEST_CASE("engine: a queue that one edge creates is known to all") {
    NatsServer server(with_store);
    EngineWorld world;
    world.run(meet_queues(world, server));
}

TEST_CASE("engine: an edge that creates queues while others do forgets none of its own") {
    NatsServer server(with_store);
    EngineWorld world;
    world.run(create_queues(world, server));
}
