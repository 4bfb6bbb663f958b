// What all edges of a pool are asked, and what a delivery says of earlier ones.
#include "engine_world.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace test;
using edge::Trace;
using edge_shell::Engine;

namespace {

asio::awaitable<void> search(EngineWorld& world, const NatsServer& server) {
    Host& first = world.add(engine_settings(server, "h1"));
    Host& second = world.add(engine_settings(server, "h2"));
    co_await first.connected();
    co_await second.connected();
    std::vector<edge::Searched> found;
    first.engine->search({{7}, "t.1"}, [&](const edge::Searched& searched) { found.push_back(searched); });
    co_await first.until([&] { return first.seekings.size() == 1; });
    co_await second.until([&] { return second.seekings.size() == 1; });
    CHECK(first.seekings[0].task == edge::TaskId("t.1"));
    CHECK(second.seekings[0].seeker == edge::EdgeId("h1"));
    second.seekings[0].reply(Trace::none);
    second.seekings[0].reply(Trace::held);
    second.seekings[0].reply(Trace::over);
    first.seekings[0].reply(Trace::ended);
    while (found.size() < 3)
        co_await asio::post(asio::use_awaitable);
    for (const auto& searched : found) {
        CHECK(searched.task == edge::TaskId("t.1"));
        CHECK(searched.request == edge::RequestId{7});
        CHECK(searched.trace != Trace::none);
    }
    first.engine->search({{8}, "t.2"}, [](const edge::Searched&) { FAIL("nobody replies"); });
}

asio::awaitable<void> deliver(EngineWorld& world, const NatsServer& server) {
    Host& host = world.add(engine_settings(server));
    co_await host.connected();
    co_await host.publish("t1");
    auto first = co_await host.take();
    CHECK_FALSE(first.is_repeated);
    host.engine->settle({"t1", first.delivery, true});
    auto second = co_await host.take();
    CHECK(second.is_repeated);
    std::optional<edge::submitter_side::PublishResult> result;
    edge::submitter_side::Publish again{{9}, "t2", queue_of(), true};
    host.engine->publish(again, "x", [&](const edge::submitter_side::Published& published, std::string) {
        result = published.result;
    });
    auto third = co_await host.take();
    CHECK(third.task == edge::TaskId("t2"));
    CHECK(third.is_repeated);
    CHECK(result == edge::submitter_side::PublishResult::queued);
}

// A host that is so busy that a person does not wait for it.
asio::awaitable<void> ask_all(EngineWorld& world, const NatsServer& server) {
    Host& host = world.add(engine_settings(server));
    nats::Client& busy = world.add_client(server);
    std::vector<std::string> inboxes;
    auto subscription = busy.subscribe(
        "troupectl.p.all", [&](const nats::Message& question) { inboxes.push_back(question.reply); });
    co_await host.connected();
    while (!busy.is_ready())
        co_await asio::post(asio::use_awaitable);
    co_await busy.flush(patience);
    std::optional<std::vector<std::string>> brief, full;
    auto take = [](auto& result) {
        return [&result](std::vector<std::string> replies) { result = replies; };
    };
    host.engine->ask_all(Engine::Patience::full, take(full));
    host.engine->ask_all(Engine::Patience::brief, take(brief));
    while (!brief || inboxes.size() < 2)
        co_await asio::post(asio::use_awaitable);
    CHECK(std::ranges::count(*brief, "busy") == 0);
    CHECK_FALSE(full);
    for (const std::string& inbox : inboxes)
        (void)busy.publish({inbox, "busy"});
    while (!full)
        co_await asio::post(asio::use_awaitable);
    CHECK(std::ranges::count(*full, "busy") == 1);
    CHECK(std::ranges::count(*full, "h1") == 1);
}

void in_world(asio::awaitable<void> (*body)(EngineWorld& world, const NatsServer& server)) {
    NatsServer server(with_store);
    EngineWorld world;
    world.run(body(world, server));
}

}  // namespace

TEST_CASE("engine: all edges are asked for a task, and each that knows something replies") {
    in_world(search);
}

TEST_CASE("engine: a delivery says whether the task may have been delivered before") {
    in_world(deliver);
}

TEST_CASE("engine: what no host has is not concluded from the silence of a busy one") {
    in_world(ask_all);
}
