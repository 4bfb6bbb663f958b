// An engine on NATS against a real server: each of its calls.
#include "engine_world.hpp"

using namespace test;
using edge::EntryKind;
using edge::OwnerReply;
using edge::WriteResult;
using edge::submitter_side::PublishResult;

namespace {

// A body with one host.
void with_host(nats_engine::Settings (*settings)(const NatsServer&),
               asio::awaitable<void> (*body)(Host& host)) {
    NatsServer server(with_store);
    EngineWorld world;
    Host& host = world.add(settings(server));
    auto connect_first = [](Host& h, asio::awaitable<void> (*then)(Host&)) -> asio::awaitable<void> {
        co_await h.connected();
        co_await then(h);
    };
    world.run(connect_first(host, body));
    CHECK(host.losses.empty());
}

nats_engine::Settings usual(const NatsServer& server) {
    return engine_settings(server);
}

nats_engine::Settings impatient(const NatsServer& server) {
    auto settings = engine_settings(server);
    settings.times.lease = 2s;
    settings.times.pull = 1s;
    settings.times.ask = 300ms;
    return settings;
}

asio::awaitable<void> write_and_look(Host& host) {
    auto none = co_await host.look_up("t.1");
    CHECK(none.is_known);
    CHECK(none.record.version == 0);
    CHECK(!none.record.last);
    auto claimed = co_await host.write("t.1", 0, claim_of("h1"));
    REQUIRE(claimed.result == WriteResult::written);
    CHECK(claimed.version > 0);
    auto second = co_await host.write("t.1", 0, claim_of("h2"));
    CHECK(second.result == WriteResult::refused);
    auto found = co_await host.look_up("t.1");
    REQUIRE(found.record.last);
    CHECK(found.record.version == claimed.version);
    CHECK(found.record.last->kind == EntryKind::claimed);
    CHECK(found.record.last->author == edge::Author{"h1", {1, 1}});
    auto done = co_await host.write("t.1", claimed.version, outcome_of("h1"), "an answer\n");
    REQUIRE(done.result == WriteResult::written);
    CHECK(done.version > claimed.version);
    auto late = co_await host.write("t.1", claimed.version, outcome_of("h2"));
    CHECK(late.result == WriteResult::refused);
    found = co_await host.look_up("t.1");
    CHECK(found.record.version == done.version);
    CHECK(found.text == "an answer\n");
    auto other = co_await host.look_up("t.2");
    CHECK(!other.record.last);
}

asio::awaitable<void> large_texts(Host& host) {
    host.engine->watch("t");
    std::string text(host.engine->max_text_bytes(), '"');
    CHECK(text.size() == (1U << 20) - 4096);
    auto written = co_await host.write("t", 0, outcome_of("h1"), text);
    REQUIRE(written.result == WriteResult::written);
    auto found = co_await host.look_up("t");
    CHECK(found.text == text);
    co_await host.until([&] { return !host.notices.empty(); });
    CHECK(host.notices[0].text == text);
    auto published = co_await host.publish("t", text);
    CHECK(published == PublishResult::queued);
    auto delivered = co_await host.take();
    CHECK(delivered.body == text);
}

asio::awaitable<void> publish_and_take(Host& host) {
    std::string body("a\0\xff\r\nb", 6);
    auto queue = queue_of({"gpu", "big"}, -2);
    auto published = co_await host.publish("t.1", body, queue);
    CHECK(published == PublishResult::queued);
    auto repeated = co_await host.publish("t.1", "another", queue);
    CHECK(repeated == PublishResult::held);
    CHECK(host.queues.back() == std::vector{queue});
    auto found = co_await host.look_up("t.1", true, queue);
    CHECK(found.is_queued);
    auto elsewhere = co_await host.look_up("t.1", true, queue_of());
    CHECK(!elsewhere.is_queued);
    auto delivered = co_await host.take(queue);
    CHECK(delivered.task == edge::TaskId("t.1"));
    CHECK(delivered.body == body);
    CHECK(delivered.queue == queue);
    co_await host.until([&] { return host.has_ended(delivered.pull); });
    host.engine->settle({delivered.task, delivered.delivery, true});
    auto again = co_await host.take(queue);
    CHECK(again.task == delivered.task);
    CHECK(again.delivery != delivered.delivery);
    host.engine->settle({again.task, again.delivery, false});
    do  // the server takes acknowledgements when it has time
        found = co_await host.look_up("t.1", true, queue);
    while (found.is_queued);
    auto anew = co_await host.publish("t.1", body, queue);
    CHECK(anew == PublishResult::queued);
    found = co_await host.look_up("t.1", true, queue);
    CHECK(found.is_queued);
}

asio::awaitable<void> publish_anew(Host& host) {
    auto queue = queue_of({"gpu"}, 3);
    co_await host.publish("t", "old", queue);
    auto old = co_await host.take(queue);
    CHECK((co_await host.is_current("t", old.delivery)) == true);
    co_await host.remove("t", queue);
    CHECK((co_await host.is_current("t", old.delivery)) == false);
    co_await host.publish("t", "new", queue);
    auto anew = co_await host.take(queue);
    CHECK(anew.body == "new");
    CHECK((co_await host.is_current("t", old.delivery)) == false);
    CHECK((co_await host.is_current("t", anew.delivery)) == true);
    CHECK((co_await host.is_current("t", "damaged")) == false);
}

asio::awaitable<void> pull_in_all_ways(Host& host) {
    for (const char* task : {"t1", "t2", "t3"})
        co_await host.publish(task);
    auto two = host.pull(2, false);
    co_await host.until([&] { return host.has_ended(two); });
    CHECK(host.deliveries.size() == 2);
    CHECK(host.deliveries[0].pull == two);
    auto more = host.pull(5, false);
    co_await host.until([&] { return host.has_ended(more); });
    CHECK(host.deliveries.size() == 3);
    auto none = host.pull(5, false);
    co_await host.until([&] { return host.has_ended(none); });
    auto waiting = host.pull(2, true);
    co_await host.publish("t4");
    co_await host.until([&] { return host.deliveries.size() == 4; });
    CHECK(host.deliveries[3].pull == waiting);
    CHECK(!host.has_ended(waiting));
    co_await host.until([&] { return host.has_ended(waiting); });  // after Times::pull
    auto given_up = host.pull(1, true);
    host.engine->end_pull(given_up);
    auto next = host.pull(1, true);
    co_await host.publish("t5");
    co_await host.until([&] { return host.has_ended(next); });
    CHECK(host.deliveries.back().task == edge::TaskId("t5"));
    CHECK(host.deliveries.back().pull == next);
    CHECK(!host.has_ended(given_up));
}

asio::awaitable<void> remove_and_purge(Host& host) {
    auto missing = co_await host.remove("t");
    CHECK(missing);  // there is no such one
    co_await host.publish("t");
    auto removed = co_await host.remove("t");
    CHECK(removed);
    auto found = co_await host.look_up("t", true);
    CHECK(!found.is_queued);
    auto first = co_await host.write("t", 0, claim_of("h1"));
    auto second = co_await host.write("t", first.version, outcome_of("h1"));
    auto old = co_await host.purge("t", first.version);
    CHECK(old);  // that version is gone
    found = co_await host.look_up("t");
    CHECK(found.record.version == second.version);
    auto purged = co_await host.purge("t", second.version);
    CHECK(purged);
    found = co_await host.look_up("t");
    CHECK(!found.record.last);
    auto late = co_await host.write("t", second.version, claim_of("h1"));
    CHECK(late.result == WriteResult::refused);
    auto anew = co_await host.write("t", 0, claim_of("h1"));
    REQUIRE(anew.result == WriteResult::written);
    CHECK(anew.version > second.version);
}

asio::awaitable<void> leases(Host& host) {
    using Clock = std::chrono::steady_clock;
    co_await host.publish("t");
    auto first = co_await host.take();
    auto begin = Clock::now();
    auto second = co_await host.take();
    CHECK(second.task == first.task);
    CHECK(second.delivery != first.delivery);
    CHECK(Clock::now() - begin > 1900ms);
    // An extension by the earlier delivery's name counts as well.
    asio::steady_timer timer(co_await asio::this_coro::executor, 800ms);
    co_await timer.async_wait(asio::use_awaitable);
    host.engine->extend({first.task, first.delivery});
    begin = Clock::now();
    co_await host.take();
    CHECK(Clock::now() - begin > 1900ms);
}

}  // namespace

TEST_CASE("engine: a record is replaced under the version that was seen, and read") {
    with_host(usual, write_and_look);
}

TEST_CASE("engine: the longest texts are written, read and noticed") {
    with_host(usual, large_texts);
}

TEST_CASE("engine: tasks are published once, delivered, handed back and settled") {
    with_host(usual, publish_and_take);
}

TEST_CASE("engine: a task that is published anew is told from an earlier delivery of it") {
    with_host(usual, publish_anew);
}

TEST_CASE("engine: pulls end when they have all, when there is nothing, or when their time is over") {
    with_host(impatient, pull_in_all_ways);
}

TEST_CASE("engine: tasks are removed from queues, and records under their version") {
    with_host(usual, remove_and_purge);
}

TEST_CASE("engine: a task is delivered again after its lease, which extensions begin anew") {
    with_host(impatient, leases);
}

namespace {

asio::awaitable<void> race(std::vector<Host*> hosts) {
    for (Host* host : hosts)
        co_await host->connected();
    constexpr std::size_t tasks = 100;
    std::vector<std::size_t> winners(tasks), refused(tasks);
    std::vector<edge::Version> versions(tasks);
    // All at once, in another order each, and then once more under the first one's version.
    for (int round = 0; round < 2; ++round) {
        std::vector<edge::Version> expected = versions;
        std::size_t results = 0;
        for (std::size_t h = 0; h < hosts.size(); ++h)
            for (std::size_t i = 0; i < tasks; ++i) {
                std::size_t t = (i * 37 + h * 13) % tasks;
                edge::Write write{
                    {i + 1}, "t" + std::to_string(t), expected[t], claim_of("h" + std::to_string(h))};
                hosts[h]->engine->write(write, {}, [&, t](const edge::Written& written) {
                    ++results;
                    if (written.result == WriteResult::refused) ++refused[t];
                    if (written.result != WriteResult::written) return;
                    ++winners[t];
                    versions[t] = written.version;
                });
            }
        while (results < hosts.size() * tasks)
            co_await asio::post(asio::use_awaitable);
        for (std::size_t t = 0; t < tasks; ++t) {
            CHECK(versions[t] > expected[t]);
            CHECK(winners[t] == static_cast<std::size_t>(round) + 1);
            CHECK(refused[t] == winners[t] * (hosts.size() - 1));
        }
    }
}

asio::awaitable<void> ask(EngineWorld& world, const NatsServer& server) {
    Host& asker = world.add(impatient(server));
    Host& owner = world.add(engine_settings(server, "host-2.example"));
    co_await asker.connected();
    co_await owner.connected();
    owner.questions.clear();
    auto unknown = co_await asker.ask("h9", "t.1");
    CHECK(unknown == OwnerReply::silent);
    auto senseless = co_await asker.ask("no subject > *", "t.1");
    CHECK(senseless == OwnerReply::silent);
    auto mute = co_await asker.ask("host-2.example", "t.1");  // it does not reply
    CHECK(mute == OwnerReply::silent);
    REQUIRE(owner.questions.size() == 1);
    CHECK(owner.questions[0].task == edge::TaskId("t.1"));
    CHECK(owner.questions[0].nonce == edge::Nonce{1, 1});
    CHECK(!owner.questions[0].delivery);
    owner.questions[0].reply(true);  // too late
    asker.engine->notify({"t.2", "host-2.example"});
    co_await owner.until([&] { return !owner.checks.empty(); });
    CHECK(owner.checks[0] == edge::TaskId("t.2"));
}

asio::awaitable<void> reply(Host& owner, std::size_t question, bool has) {
    co_await owner.until([&] { return owner.questions.size() > question; });
    owner.questions[question].reply(has);
}

asio::awaitable<void> ask_and_reply(EngineWorld& world, const NatsServer& server) {
    Host& asker = world.add(engine_settings(server, "h1"));
    Host& owner = world.add(engine_settings(server, "h2"));
    co_await asker.connected();
    co_await owner.connected();
    std::optional<OwnerReply> first, second;
    auto take = [](std::optional<OwnerReply>& result) {
        return [&result](const edge::OwnerReplied& replied) { result = replied.reply; };
    };
    asker.engine->ask({{1}, "t1", {"h2", {1, 1}}, edge::Delivery("$JS.ACK.x")}, take(first));
    co_await reply(owner, 0, true);
    while (!first)
        co_await asio::post(asio::use_awaitable);
    CHECK(first == OwnerReply::has);
    CHECK(owner.questions[0].delivery == edge::Delivery("$JS.ACK.x"));
    asker.engine->ask({{2}, "t1", {"h2", {1, 1}}, {}}, take(second));
    co_await reply(owner, 1, false);
    while (!second)
        co_await asio::post(asio::use_awaitable);
    CHECK(second == OwnerReply::has_not);
}

asio::awaitable<void> watch(EngineWorld& world, const NatsServer& server) {
    Host& watcher = world.add(engine_settings(server, "h1"));
    Host& writer = world.add(engine_settings(server, "h2"));
    watcher.engine->watch("t.1");
    watcher.engine->watch("t.2");
    watcher.engine->watch("t.2");
    co_await watcher.connected();
    co_await writer.connected();
    auto claimed = co_await writer.write("t.1", 0, claim_of("h2"));
    auto done = co_await writer.write("t.1", claimed.version, outcome_of("h2"), "text");
    co_await watcher.until([&] { return watcher.notices.size() == 2; });
    CHECK(watcher.notices[0].task == edge::TaskId("t.1"));
    CHECK(watcher.notices[0].record.version == claimed.version);
    CHECK(watcher.notices[1].record.version == done.version);
    CHECK(watcher.notices[1].record.last->outcome == edge::Outcome::processed);
    CHECK(watcher.notices[1].text == "text");
    writer.engine->tell("t.1", "does this");
    writer.engine->tell("t.3", "nobody watches it");
    writer.engine->tell("t.2", "does that");
    co_await watcher.until([&] { return watcher.told.size() == 2; });
    CHECK(watcher.told == std::vector<std::string>{"does this", "does that"});
    watcher.engine->unwatch("t.1");
    // What the server has got before this answer, it has done before.
    co_await watcher.look_up("t.1");
    co_await writer.write("t.1", done.version, outcome_of("h2"));
    co_await writer.write("t.2", 0, claim_of("h2"));
    co_await watcher.until([&] { return watcher.notices.size() > 2; });
    CHECK(watcher.notices[2].task == edge::TaskId("t.2"));
}

}  // namespace

TEST_CASE("engine: of those who write the same record at once, one succeeds") {
    NatsServer server(with_store);
    EngineWorld world;
    std::vector<Host*> hosts;
    for (int i = 0; i < 4; ++i)
        hosts.push_back(&world.add(engine_settings(server, "h" + std::to_string(i))));
    world.run(race(hosts));
}

TEST_CASE("engine: an edge that is not there, or does not reply, is silent") {
    NatsServer server(with_store);
    EngineWorld world;
    world.run(ask(world, server));
}

TEST_CASE("engine: an edge asks another one, and gets its reply") {
    NatsServer server(with_store);
    EngineWorld world;
    world.run(ask_and_reply(world, server));
}

TEST_CASE("engine: changes of a record are noticed while it is watched") {
    NatsServer server(with_store);
    EngineWorld world;
    world.run(watch(world, server));
}
