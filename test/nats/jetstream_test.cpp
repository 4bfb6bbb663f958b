// JetStream's calls against a real server.
#include "nats/jetstream.hpp"

#include "client_world.hpp"
#include "nats/api_error.hpp"
#include "nats/headers.hpp"
#include "nats_server.hpp"

#include <set>

using Catch::Matchers::Contains;
using namespace test;
using nats::ApiErrc;
using nats::Errc;
using nats::JetStream;

namespace {

const std::string with_jetstream = "jetstream { store_dir: \"%/js\" }\n";

nats::StreamConfig queue_config() {
    nats::StreamConfig config;
    config.name = "Q";
    config.subjects = {"q.>"};
    config.is_queue = config.refuses_new = config.refuses_new_per_subject = true;
    config.most_per_subject = 1;
    config.max_age = std::chrono::hours(24);
    config.longest_message = 1 << 20;
    return config;
}

nats::StreamConfig record_config() {
    nats::StreamConfig config = queue_config();
    config.name = "R";
    config.subjects = {"r.>"};
    config.is_queue = false;
    config.allows_direct = true;
    config.republish_from = "r.>";
    config.republish_to = "again.>";
    return config;
}

nats::ConsumerConfig consumer_config() {
    return {"c", "q.a.>", 30s, -1, 200'000, 10'000};
}

asio::awaitable<void> create(JetStream& jetstream) {
    auto queue = co_await jetstream.create_stream(queue_config());
    REQUIRE(queue.has_value());
    CHECK(queue->config == queue_config());
    auto records = co_await jetstream.create_stream(record_config());
    REQUIRE(records.has_value());
    CHECK(records->config == record_config());
    auto consumer = co_await jetstream.create_consumer("Q", consumer_config());
    REQUIRE(consumer.has_value());
    CHECK(consumer->config == consumer_config());
}

asio::awaitable<void> configure(ClientWorld& world) {
    JetStream jetstream(world.client, patience);
    auto missing = co_await jetstream.stream_info("Q");
    CHECK(missing.error().code == ApiErrc::stream_not_found);
    CHECK_THAT(missing.error().message,
               Catch::StartsWith("cannot look at the stream Q: stream not found (error "));
    co_await create(jetstream);
    co_await create(jetstream);  // what is there already
    nats::StreamConfig other = queue_config();
    other.most_bytes = 1 << 20;
    auto in_use = co_await jetstream.create_stream(other);
    CHECK(in_use.error().code == ApiErrc::stream_name_in_use);
    auto found = co_await jetstream.stream_info("Q");
    REQUIRE(found.has_value());
    std::vector<std::string_view> members{"max_bytes"};
    auto updated = co_await jetstream.update_stream(*found, other, members);
    REQUIRE(updated.has_value());
    CHECK(updated->config == other);
    auto account = co_await jetstream.account_info();
    REQUIRE(account.has_value());
    CHECK(account->streams == 2);
    CHECK(account->most_streams == -1);
    nats::ConsumerConfig changed = consumer_config();
    changed.ack_wait = 60s;
    auto consumer = co_await jetstream.create_consumer("Q", changed);
    REQUIRE(consumer.has_value());
    auto info = co_await jetstream.consumer_info("Q", "c");
    REQUIRE(info.has_value());
    CHECK(info->config.ack_wait == 60s);
    changed.name = "d";
    auto overlap = co_await jetstream.create_consumer("Q", changed);
    CHECK(overlap.error().code == ApiErrc::filters_overlap);
    auto none = co_await jetstream.consumer_info("Q", "none");
    CHECK(none.error().code == ApiErrc::consumer_not_found);
}

asio::awaitable<base::Result<nats::Stored>> put(JetStream& jetstream, std::string subject,
                                                std::string payload, std::string headers = {}) {
    nats::Outgoing message{subject, payload, headers};
    auto stored = co_await jetstream.publish(message);
    co_return stored;
}

asio::awaitable<void> publish(ClientWorld& world) {
    JetStream jetstream(world.client, patience);
    co_await create(jetstream);
    Inbox again(world);
    auto subscription = world.client.subscribe("again.>", again.handler());
    std::string fence = nats::Headers().add(nats::expected_subject_sequence, "0").block();
    auto first = co_await put(jetstream, "r.claim", "mine", fence);
    REQUIRE(first.has_value());
    CHECK(first->sequence == 1);
    auto second = co_await put(jetstream, "r.claim", "yours", fence);
    CHECK(second.error().code == ApiErrc::wrong_last_sequence);
    auto third = co_await put(jetstream, "r.claim", "theirs");
    CHECK(third.error().code == ApiErrc::subject_full);
    std::string id = nats::Headers().add(nats::message_id, "7").block();
    auto task = co_await put(jetstream, "q.a.1", "task", id);
    REQUIRE(task.has_value());
    auto same = co_await put(jetstream, "q.a.1", "task", id);
    REQUIRE(same.has_value());
    CHECK(same->is_duplicate);
    CHECK(same->sequence == task->sequence);
    auto nowhere = co_await put(jetstream, "nowhere", "x");
    CHECK(nowhere.error().code == Errc::no_responders);
    co_await again.wait_for(1);
    CHECK(again.messages[0].subject == "again.claim");
    CHECK(again.messages[0].payload == "mine");
}

asio::awaitable<void> read_and_remove(ClientWorld& world) {
    JetStream jetstream(world.client, patience);
    co_await create(jetstream);
    std::string headers = nats::Headers().add("A", "b").block();
    auto stored = co_await put(jetstream, "r.x", "hello", headers);
    REQUIRE(stored.has_value());
    auto check = [&](const base::Result<std::optional<nats::StoredMessage>>& found) {
        REQUIRE(found.has_value());
        REQUIRE(found->has_value());
        CHECK((*found)->payload == "hello");
        CHECK((*found)->sequence == stored->sequence);
        CHECK(nats::header((*found)->headers, "A") == "b");
    };
    check(co_await jetstream.last_by_leader("R", "r.x"));
    check(co_await jetstream.last_direct("R", "r.x"));
    auto none = co_await jetstream.last_by_leader("R", "r.y");
    REQUIRE(none.has_value());
    CHECK(!none->has_value());
    none = co_await jetstream.last_direct("R", "r.y");
    REQUIRE(none.has_value());
    CHECK(!none->has_value());
    auto deleted = co_await jetstream.delete_message("R", stored->sequence);
    REQUIRE(deleted.has_value());
    CHECK(*deleted);
    deleted = co_await jetstream.delete_message("R", stored->sequence);
    REQUIRE(deleted.has_value());
    CHECK(!*deleted);
    for (const char* subject : {"r.run1.a", "r.run1.b", "r.run2.a"})
        co_await put(jetstream, subject, "x");
    auto purged = co_await jetstream.purge("R", "r.run1.>");
    CHECK(*purged == 2);
    auto info = co_await jetstream.stream_info("R");
    CHECK(info->messages == 1);
    purged = co_await jetstream.purge("R", "r.>", info->last_sequence);
    CHECK(*purged == 0);
}

}  // namespace

TEST_CASE("streams and consumers are created, changed and looked at") {
    NatsServer server(with_jetstream);
    ClientWorld(settings_for(server.address())).run(configure);
}

TEST_CASE("what is published is stored once, if nothing else was before") {
    NatsServer server(with_jetstream);
    ClientWorld(settings_for(server.address())).run(publish);
}

TEST_CASE("messages are read by subject, deleted and purged") {
    NatsServer server(with_jetstream);
    ClientWorld(settings_for(server.address())).run(read_and_remove);
}

namespace {

// More than one reply holds.
asio::awaitable<void> list(ClientWorld& world) {
    JetStream jetstream(world.client, patience);
    co_await create(jetstream);
    constexpr std::size_t count = 300;
    std::size_t created = 0;
    for (std::size_t i = 1; i < count; ++i) {
        nats::ConsumerConfig config = consumer_config();
        config.name = "c" + std::to_string(i);
        config.filter = "q." + config.name + ".*";
        config.description = "number " + std::to_string(i);
        auto call = nats::create_consumer("Q", config);
        nats::Client::OnReply on_reply = [&created](const base::Result<nats::Message>& reply) {
            created += reply.has_value() ? 1 : 0;
        };
        REQUIRE(world.client.request({call.subject, call.body}, patience, on_reply).has_value());
    }
    auto consumers = co_await jetstream.consumers("Q");
    REQUIRE(consumers.has_value());
    CHECK(created == count - 1);
    REQUIRE(consumers->size() == count);
    std::set<std::string> descriptions;
    for (const nats::ConsumerInfo& info : *consumers)
        descriptions.insert(info.config.description);
    CHECK(descriptions.size() == count);
    auto none = co_await jetstream.consumers("R");
    REQUIRE(none.has_value());
    CHECK(none->empty());
}

// The numbers of a stream begin where its owner wants.
asio::awaitable<void> number(ClientWorld& world) {
    JetStream jetstream(world.client, patience);
    co_await create(jetstream);
    auto before = co_await jetstream.stream_info("R");
    REQUIRE(before.has_value());
    REQUIRE(before->created.has_value());
    CHECK(*before->created > nats::WallTime(std::chrono::hours(24 * 365 * 50)));
    constexpr std::uint64_t first = 1'795'262'400'000'000;
    auto purged = co_await jetstream.purge("R", "", first);
    CHECK(purged.has_value());
    purged = co_await jetstream.purge("R", "", first);
    CHECK(purged.has_value());
    auto stored = co_await put(jetstream, "r.a", "x");
    CHECK(stored->sequence == first);
    // Once it is there, the same does nothing.
    purged = co_await jetstream.purge("R", "", first);
    CHECK(purged.has_value());
    auto info = co_await jetstream.stream_info("R");
    CHECK(info->messages == 1);
    CHECK(info->created == before->created);
}

}  // namespace

TEST_CASE("all consumers of a stream are listed") {
    NatsServer server(with_jetstream);
    ClientWorld(settings_for(server.address())).run(list);
}

TEST_CASE("the numbers of a stream begin where they are told to") {
    NatsServer server(with_jetstream);
    ClientWorld(settings_for(server.address())).run(number);
}

TEST_CASE("a server without JetStream says so") {
    NatsServer server;
    ClientWorld(settings_for(server.address())).run([](ClientWorld& world) -> asio::awaitable<void> {
        JetStream jetstream(world.client, patience);
        auto info = co_await jetstream.stream_info("Q");
        CHECK(info.error().code == Errc::no_responders);
        CHECK_THAT(info.error().message,
                   Contains("cannot look at the stream Q") && Contains("JetStream may be off"));
    });
}

namespace {

// One message of the consumer, which is there or comes.
asio::awaitable<nats::Message> take(ClientWorld& world, JetStream& jetstream) {
    Inbox inbox(world);
    nats::PullRequest request{1, patience};
    auto pulled = co_await jetstream.pull("Q", "c", request, inbox.handler());
    REQUIRE(pulled.has_value());
    REQUIRE(inbox.messages.size() == 1);
    co_return std::move(inbox.messages[0]);
}

// Until its time is up. A server that is too slow for its heartbeats is given more time for them.
asio::awaitable<void> pull_with_heartbeats(JetStream& jetstream) {
    for (auto heartbeat = 50ms;; heartbeat *= 2) {
        nats::PullRequest request{10, 4 * heartbeat, heartbeat};
        auto pulled = co_await jetstream.pull("Q", "c", request, [](const nats::Message&) {});
        if (pulled.has_value()) co_return;
        REQUIRE(pulled.error().code == Errc::timed_out);
        REQUIRE(heartbeat < patience);
    }
}

asio::awaitable<void> pull(ClientWorld& world) {
    JetStream jetstream(world.client, patience);
    co_await create(jetstream);
    Inbox inbox(world);
    nats::PullRequest at_once{10};
    auto pulled = co_await jetstream.pull("Q", "c", at_once, inbox.handler());
    CHECK(pulled.has_value());
    CHECK(inbox.messages.empty());
    co_await pull_with_heartbeats(jetstream);
    co_await put(jetstream, "q.a.1", "one");
    co_await put(jetstream, "q.b.1", "of another consumer");
    nats::Message first = co_await take(world, jetstream);
    CHECK(first.subject == "q.a.1");
    auto delivery = nats::parse_delivery(first.reply);
    REQUIRE(delivery);
    CHECK(delivery->stream == "Q");
    CHECK(delivery->count == 1);
    REQUIRE(jetstream.extend(first.reply).has_value());
    REQUIRE(jetstream.give_back(first.reply).has_value());
    nats::Message again = co_await take(world, jetstream);
    CHECK(nats::parse_delivery(again.reply)->count == 2);
    REQUIRE(jetstream.acknowledge(again.reply).has_value());
    co_await put(jetstream, "q.a.2", "two");
    nats::Message other = co_await take(world, jetstream);
    CHECK(other.subject == "q.a.2");
    REQUIRE(jetstream.terminate(other.reply).has_value());
    // The server takes acknowledgements when it has time.
    while (true) {
        auto info = co_await jetstream.consumer_info("Q", "c");
        REQUIRE(info.has_value());
        auto stream = co_await jetstream.stream_info("Q");
        REQUIRE(stream.has_value());
        if (info->unacknowledged == 0 && stream->messages == 1) break;
    }
    nats::PullRequest of_none{1, patience, 200ms};
    pulled = co_await jetstream.pull("Q", "none", of_none, inbox.handler());
    CHECK(pulled.error().code == Errc::timed_out);
}

// A task that is given back with a delay does not come before.
asio::awaitable<void> pull_later(ClientWorld& world) {
    JetStream jetstream(world.client, patience);
    co_await create(jetstream);
    co_await put(jetstream, "q.a.1", "one");
    nats::Message first = co_await take(world, jetstream);
    auto begin = std::chrono::steady_clock::now();
    REQUIRE(jetstream.give_back(first.reply, 300ms).has_value());
    co_await take(world, jetstream);
    CHECK(std::chrono::steady_clock::now() - begin >= 290ms);
}

asio::awaitable<void> pull_over(ClientWorld& world, base::Result<void>& result) {
    JetStream jetstream(world.client, patience);
    nats::PullRequest request{1, patience, 30s};
    result = co_await jetstream.pull("Q", "c", request, [](const nats::Message&) {});
}

asio::awaitable<void> pull_through_kill(ClientWorld& world, NatsServer& server) {
    JetStream jetstream(world.client, patience);
    co_await create(jetstream);
    base::Result<void> result;
    io::TaskGroup group(world.loop.get_executor(), io::log_exception);
    group.spawn("a pull", pull_over(world, result));
    while (true) {
        auto info = co_await jetstream.consumer_info("Q", "c");
        REQUIRE(info.has_value());
        if (info->waiting_pulls == 1) break;
    }
    co_await put(jetstream, "q.b.1", "kept");
    server.kill();
    co_await group.join();
    CHECK(result.error().code == Errc::disconnected);
    server.start();
    co_await world.notice("lost");
    co_await world.notice("ready");
    auto stream = co_await jetstream.stream_info("Q");
    REQUIRE(stream.has_value());
    CHECK(stream->messages == 1);
    co_await put(jetstream, "q.a.1", "after");
    nats::Message message = co_await take(world, jetstream);
    CHECK(message.payload == "after");
}

}  // namespace

TEST_CASE("messages are pulled, extended, given back, acknowledged and terminated") {
    NatsServer server(with_jetstream);
    ClientWorld(settings_for(server.address())).run(pull);
}

TEST_CASE("a message that is given back for later comes later") {
    NatsServer server(with_jetstream);
    ClientWorld(settings_for(server.address())).run(pull_later);
}

TEST_CASE("a pull ends with its connection, and the next one goes on") {
    NatsServer server(with_jetstream);
    ClientWorld(settings_for(server.address())).run([&](ClientWorld& world) {
        return pull_through_kill(world, server);
    });
}
