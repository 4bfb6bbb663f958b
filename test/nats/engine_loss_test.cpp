// What an engine on NATS does when the server, its store or a part of it is lost.
#include "engine_world.hpp"
#include "nats_engine/streams.hpp"

#include <filesystem>

using Catch::Matchers::Contains;
using namespace test;
using edge::WriteResult;
using edge::submitter_side::PublishResult;

namespace {

asio::awaitable<void> survive_kill(Host& host, NatsServer& server) {
    CHECK(!host.engine->lag());
    co_await host.connected();
    CHECK(host.engine->lag());
    host.engine->watch("t");
    co_await host.publish("queued");
    auto claimed = co_await host.write("t", 0, claim_of("h1"));
    co_await host.until([&] { return host.notices.size() == 1; });
    auto pull = host.pull(2, true);
    co_await host.until([&] { return host.deliveries.size() == 1; });
    server.signal(SIGSTOP);
    bool is_answered = false;
    host.engine->write({{77}, "t", claimed.version, claim_of("h2")}, {},
                       [&](const edge::Written&) { is_answered = true; });
    server.kill();
    co_await host.until([&] { return !host.losses.empty(); });
    CHECK(!host.engine->lag());
    // Without a connection, nothing has an effect.
    host.engine->write({{78}, "t", claimed.version, claim_of("h3")}, {},
                       [&](const edge::Written&) { is_answered = true; });
    host.engine->settle({"queued", host.deliveries[0].delivery, false});
    host.pull(1, false);
    server.start();
    co_await host.connected(2);
    CHECK(host.stores[1] == host.stores[0]);
    CHECK(host.engine->lag());
    CHECK_THAT(host.losses[0], Contains("is lost"));
    CHECK(host.queues.size() >= 2);
    CHECK(host.queues.back() == std::vector{queue_of()});
    auto found = co_await host.look_up("t", false);
    CHECK(found.record.version == claimed.version);
    CHECK(found.record.last->author.edge == edge::EdgeId("h1"));
    auto done = co_await host.write("t", claimed.version, outcome_of("h1"), "text");
    CHECK(done.result == WriteResult::written);
    co_await host.until([&] { return host.notices.size() == 2; });
    CHECK(host.notices[1].record.version == done.version);
    CHECK(!is_answered);
    CHECK(host.ended.empty());
    CHECK(host.deliveries[0].pull == pull);
    auto queued = co_await host.look_up("queued", true);
    CHECK(queued.is_queued);
}

asio::awaitable<void> survive_wipe(Host& host, NatsServer& server) {
    co_await host.connected();
    co_await host.publish("t");
    auto claimed = co_await host.write("t", 0, claim_of("h1"));
    server.kill();
    std::filesystem::remove_all(server.directory() / "js");
    server.start();
    co_await host.connected(2);
    CHECK(host.stores[1] != host.stores[0]);
    CHECK(host.queues.back().empty());
    auto found = co_await host.look_up("t", true);
    CHECK(found.is_known);
    CHECK(!found.record.last);
    CHECK(!found.is_queued);
    auto late = co_await host.write("t", claimed.version, outcome_of("h1"));
    CHECK(late.result == WriteResult::refused);
    auto anew = co_await host.write("t", 0, claim_of("h1"));
    CHECK(anew.version > claimed.version);
    auto published = co_await host.publish("t");
    CHECK(published == PublishResult::queued);
    auto delivered = co_await host.take();
    CHECK(delivered.task == edge::TaskId("t"));
}

// The numbers go on although nothing is left from which they could be known.
asio::awaitable<void> keep_numbers(Host& host, NatsServer& server) {
    co_await host.connected();
    auto first = co_await host.write("t", 0, claim_of("h1"));
    auto purged = co_await host.purge("t", first.version);
    CHECK(purged);
    server.kill();
    server.start();
    co_await host.connected(2);
    CHECK(host.stores[1] == host.stores[0]);
    auto second = co_await host.write("t", 0, claim_of("h1"));
    CHECK(second.version > first.version);
}

asio::awaitable<void> delete_stream(nats::Client& client, std::string stream) {
    std::string subject = "$JS.API.STREAM.DELETE." + stream;
    nats::Outgoing message{subject};
    auto deleted = co_await client.request(message, patience);
    REQUIRE(deleted.has_value());
    REQUIRE_THAT(deleted->payload, Contains("\"success\":true"));
}

asio::awaitable<void> survive_deletion(Host& host, nats::Client& admin) {
    co_await host.connected();
    std::vector<edge::Version> versions;
    for (const char* stream : {"TROUPE_p_R", "TROUPE_p_Q"}) {
        auto before = host.stores.size();
        co_await host.publish("t");
        auto claimed = co_await host.write("t", 0, claim_of("h1"));
        versions.push_back(claimed.version);
        co_await delete_stream(admin, stream);
        co_await host.connected(before + 1);
        CHECK(host.stores[before] != host.stores[before - 1]);
        CHECK_THAT(host.losses.back(), Contains(stream));
    }
    auto found = co_await host.look_up("t", true);
    CHECK(found.record.version == versions[1]);
    CHECK(versions[1] > versions[0]);
    CHECK(!found.is_queued);
    CHECK(host.queues.back().empty());
}

// Nobody tells this user of deletions.
const std::string uninformed = R"(authorization { users: [
    { user: edge, password: right, permissions: { subscribe: { deny: ["$JS.EVENT.>"] } } }
    { user: admin, password: right }
] }
)";

asio::awaitable<void> find_deletion(Host& host, nats::Client& admin) {
    co_await host.connected();
    co_await delete_stream(admin, "TROUPE_p_R");
    bool is_answered = false;
    host.engine->write({{77}, "t", 0, claim_of("h1")}, {}, [&](const edge::Written&) { is_answered = true; });
    co_await host.connected(2);
    CHECK(!is_answered);
    co_await delete_stream(admin, "TROUPE_p_Q");
    host.engine->look_up({{78}, "t", true}, queue_of(),
                         [&](const edge::LookedUp&, const std::string&) { is_answered = true; });
    co_await host.connected(3);
    CHECK(!is_answered);
    CHECK(host.losses.size() == 2);
    auto published = co_await host.publish("t");
    CHECK(published == PublishResult::queued);
}

// Nobody tells it: as if the server had told of the deletion too early.
asio::awaitable<void> look_soon(Host& host, nats::Client& admin) {
    co_await host.connected();
    auto connected = std::chrono::steady_clock::now();
    co_await delete_stream(admin, "TROUPE_p_R");
    co_await host.connected(2);
    CHECK(std::chrono::steady_clock::now() - connected < 30s);
    CHECK_THAT(host.losses.back(), Contains("TROUPE_p_R"));
}

asio::awaitable<void> mend_queue(Host& host, nats::Client& admin) {
    co_await host.connected();
    co_await host.publish("t1");
    auto first = co_await host.take();
    host.engine->settle({first.task, first.delivery, false});
    auto pull = host.pull(1, true);
    nats::JetStream jetstream(admin, patience);
    while (true) {
        auto consumer = co_await jetstream.consumer_info("TROUPE_p_Q", "p0_2d06800538d394c2");
        REQUIRE(consumer.has_value());
        if (consumer->unacknowledged == 0 && consumer->waiting_pulls == 1) break;
    }
    std::string subject = "$JS.API.CONSUMER.DELETE.TROUPE_p_Q.p0_2d06800538d394c2";
    nats::Outgoing message{subject};
    auto deleted = co_await admin.request(message, patience);
    // It is gone also if the server says that it could not remove all of its files.
    REQUIRE(deleted.has_value());
    co_await host.until([&] { return host.has_ended(pull); });
    co_await host.publish("t2");
    auto second = co_await host.take();
    CHECK(second.task == edge::TaskId("t2"));
    CHECK(host.losses.empty());
}

asio::awaitable<void> begin_at_once(std::vector<Host*> hosts) {
    std::vector<edge::Version> versions;
    for (Host* host : hosts) {
        co_await host->connected();
        auto written = co_await host->write("t" + std::to_string(versions.size()), 0, claim_of("h"));
        REQUIRE(written.result == WriteResult::written);
        versions.push_back(written.version);
    }
    for (Host* host : hosts) {
        CHECK(host->stores == hosts[0]->stores);
        for (std::size_t i = 0; i < versions.size(); ++i) {
            auto found = co_await host->look_up("t" + std::to_string(i));
            CHECK(found.record.version == versions[i]);
        }
    }
}

// An edge has died when it was chosen to number the records.
asio::awaitable<void> take_over(EngineWorld& world, const NatsServer& server) {
    nats::JetStream jetstream(world.add_client(server), patience);
    nats_engine::Names names("p");
    auto config = nats_engine::record_stream(names, 1);
    auto created = co_await jetstream.create_stream(config);
    REQUIRE(created.has_value());
    std::string beginning = names.beginning();
    nats::Outgoing message{beginning};
    auto chosen = co_await jetstream.publish(message);
    REQUIRE(chosen.has_value());
    std::vector<Host*> hosts;
    for (const char* self : {"h1", "h2", "h3"})
        hosts.push_back(&world.add(engine_settings(server, self)));
    co_await begin_at_once(hosts);
    auto found = co_await hosts[0]->look_up("t0");
    CHECK(found.record.version >= nats_engine::first_version(*created));
    CHECK(hosts[0]->losses.empty());
}

nats::StreamConfig other_stream() {
    nats::StreamConfig config;
    config.name = "TROUPE_p_Q";
    config.subjects = {"troupe.p.q.>"};
    return config;
}

asio::awaitable<void> refuse_stream(EngineWorld& world, const NatsServer& server) {
    nats::Client& admin = world.add_client(server);
    nats::JetStream jetstream(admin, patience);
    auto config = other_stream();
    auto created = co_await jetstream.create_stream(config);
    REQUIRE(created.has_value());
    Host& host = world.add(engine_settings(server));
    co_await host.until([&] { return !host.losses.empty(); });
    CHECK_THAT(host.losses[0], Contains("the stream TROUPE_p_Q has another retention than this pool needs"));
    CHECK(host.stores.empty());
    co_await delete_stream(admin, "TROUPE_p_Q");
    co_await host.connected();
    auto published = co_await host.publish("t");
    CHECK(published == PublishResult::queued);
}

asio::awaitable<void> accept_stream(EngineWorld& world, const NatsServer& server) {
    nats::JetStream jetstream(world.add_client(server), patience);
    auto config = other_stream();
    config.is_queue = config.refuses_new = config.refuses_new_per_subject = true;
    config.most_per_subject = 1;
    config.max_age = 1h;
    config.longest_message = 10'000;
    auto created = co_await jetstream.create_stream(config);
    REQUIRE(created.has_value());
    Host& host = world.add(engine_settings(server));
    co_await host.connected();
    CHECK(host.engine->max_text_bytes() == 10'000 - 4096);
    // An earlier lease is replaced.
    co_await host.publish("t");
    auto settings = engine_settings(server, "h2");
    settings.times.lease = 77s;
    co_await world.add(settings).connected();
    auto consumer = co_await jetstream.consumer_info("TROUPE_p_Q", "p0_2d06800538d394c2");
    REQUIRE(consumer.has_value());
    CHECK(consumer->config.ack_wait == 77s);
}

void with_host(asio::awaitable<void> (*body)(Host& host, NatsServer& server)) {
    NatsServer server(with_store);
    EngineWorld world;
    Host& host = world.add(engine_settings(server));
    world.run(body(host, server));
}

}  // namespace

TEST_CASE("engine: a server that is killed and started again has the same store") {
    with_host(survive_kill);
}

TEST_CASE("engine: a store that was lost is another one, with higher versions") {
    with_host(survive_wipe);
}

TEST_CASE("engine: versions do not begin anew when all records were purged") {
    with_host(keep_numbers);
}

TEST_CASE("engine: a stream that is deleted is created again, as another store") {
    NatsServer server(with_store);
    EngineWorld world;
    Host& host = world.add(engine_settings(server));
    world.run(survive_deletion(host, world.add_client(server)));
}

// `body` gets an edge that nobody tells of deletions, and a client that may do everything.
void run_uninformed(asio::awaitable<void> (*body)(Host& host, nats::Client& admin)) {
    NatsServer server(with_store + uninformed);
    EngineWorld world;
    auto password = server.directory() / "password";
    write(password, "right");
    std::filesystem::permissions(password, std::filesystem::perms::owner_read);
    auto settings = engine_settings(server);
    settings.files.credentials = {"edge", password, ""};
    Host& host = world.add(settings);
    world.run(body(host, world.add_client(server, {{"admin", password, ""}, {}})));
}

TEST_CASE("engine: a deleted stream is found by the next request at the latest") {
    run_uninformed(find_deletion);
}

TEST_CASE("engine: a stream that is gone just after the connection has begun is missed soon") {
    run_uninformed(look_soon);
}

TEST_CASE("engine: a consumer that is deleted is created again") {
    NatsServer server(with_store);
    EngineWorld world;
    Host& host = world.add(engine_settings(server));
    world.run(mend_queue(host, world.add_client(server)));
}

TEST_CASE("engine: edges that create the streams at once have the same store") {
    NatsServer server(with_store);
    EngineWorld world;
    std::vector<Host*> hosts;
    for (int i = 0; i < 5; ++i)
        hosts.push_back(&world.add(engine_settings(server, "h" + std::to_string(i))));
    world.run(begin_at_once(hosts));
}

TEST_CASE("engine: an edge that has died while it created the streams is replaced") {
    NatsServer server(with_store);
    EngineWorld world;
    world.run(take_over(world, server));
}

TEST_CASE("engine: a stream that does not fit is refused until it is gone") {
    NatsServer server(with_store);
    EngineWorld world;
    world.run(refuse_stream(world, server));
}

TEST_CASE("engine: a stream with other sizes and ages will do, and a queue gets the lease of now") {
    NatsServer server(with_store);
    EngineWorld world;
    world.run(accept_stream(world, server));
}
