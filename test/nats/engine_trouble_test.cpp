// What an engine on NATS does when the server refuses something, or holds what no edge has written.
#include "engine_world.hpp"
#include "io/log.hpp"

#include <boost/asio/post.hpp>

#include <filesystem>

using Catch::Matchers::Contains;
using namespace test;
using edge::WriteResult;
using edge::submitter_side::PublishResult;

namespace {

// The lines that are logged meanwhile.
class LogLines {
  public:
    LogLines() {
        io::log::set_listener([this](const io::log::Line& line) { lines_.emplace_back(line.text); });
    }
    ~LogLines() { io::log::set_listener({}); }
    LogLines(const LogLines&) = delete;
    LogLines& operator=(const LogLines&) = delete;

    std::size_t count(std::string_view part) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            lines_, [&](const std::string& line) { return line.find(part) != line.npos; }));
    }

  private:
    std::vector<std::string> lines_;
};

nats_engine::Settings with_password(const NatsServer& server, const std::string& user,
                                    const std::string& text) {
    auto settings = engine_settings(server, user);
    std::string file = server.directory() / "password";
    write(file, text);
    std::filesystem::permissions(file,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    settings.files.credentials = {user, file, ""};
    return settings;
}

asio::awaitable<void> too_large(Host& host) {
    co_await host.connected();
    CHECK(host.engine->max_text_bytes() == 20'000 - 4096);
    auto larger = co_await host.publish("t", std::string(15'905, 'x'));
    CHECK(larger == PublishResult::refused);
    CHECK_THAT(host.problem, Contains("has 15905 bytes") && Contains("at most 15904"));
    auto largest = co_await host.publish("t", std::string(15'904, 'x'));
    CHECK(largest == PublishResult::queued);
    for (const char* id : {"a b", "*", ">", "", "a~b", "-a"}) {
        auto published = co_await host.publish(id);
        CHECK(published == PublishResult::refused);
        CHECK_THAT(host.problem, Contains("200 letters"));
    }
    auto senseless = co_await host.write("a b", 0, claim_of("h1"));
    CHECK(senseless.result == WriteResult::unknown);
    CHECK(host.losses.empty());
}

const std::string users = R"(authorization { users: [
    { user: edge, password: right, permissions: {
        publish: { deny: ["troupe.p.r.>", "$JS.ACK.>", "$JS.API.CONSUMER.DURABLE.CREATE.>"] }
        subscribe: { deny: ["troupectl.>", "troupeev.>", "$JS.EVENT.>"] }
    } }
    { user: admin, password: right }
] }
)";

asio::awaitable<void> lack_permissions(EngineWorld& world, const NatsServer& server, LogLines& log) {
    co_await world.add(with_password(server, "admin", "right")).connected();
    Host& host = world.add(with_password(server, "edge", "right"));
    co_await host.connected();
    for (const char* task : {"t1", "t2", "t3"}) {
        auto written = co_await host.write(task, 0, claim_of("h1"));
        CHECK(written.result == WriteResult::unknown);
        auto published = co_await host.publish(task);
        CHECK(published == PublishResult::unknown);
        host.engine->watch(task);
        host.engine->settle({task, "$JS.ACK.TROUPE_p_Q.c.1.2.3.4." + std::string(task + 1), false});
    }
    co_await host.look_up("t1");
    for (const char* subject :
         {"publish to troupe.p.r.", "publish to $JS.ACK.", "publish to $JS.API.CONSUMER.DURABLE.CREATE.",
          "subscribe to troupectl.p.edge.", "subscribe to troupectl.p.all", "subscribe to troupeev.p.r."}) {
        CAPTURE(subject);
        CHECK(log.count(subject) == 1);
    }
    CHECK(log.count("$JS.EVENT") == 0);
    CHECK(host.losses.empty());
}

asio::awaitable<void> be_refused(Host& host, std::string password_file) {
    co_await host.until([&] { return !host.losses.empty(); });
    CHECK_THAT(host.losses[0], Contains("refuses the credentials"));
    write(password_file, "right");
    co_await host.connected();
    CHECK(host.losses.size() == 1);
}

asio::awaitable<void> lack_jetstream(Host& host) {
    co_await host.until([&] { return !host.losses.empty(); });
    CHECK_THAT(host.losses[0], Contains("TROUPE_p_R") && Contains("JetStream may be off"));
    CHECK(host.stores.empty());
}

asio::awaitable<void> find_strange(Host& host, nats::Client& stranger, LogLines& log) {
    co_await host.connected();
    host.engine->watch("t1");
    nats::JetStream jetstream(stranger, patience);
    for (std::string subject : {"troupe.p.r.t1", "troupe.p.r.t2"}) {
        nats::Outgoing message{subject, "nonsense"};
        auto stored = co_await jetstream.publish(message);
        REQUIRE(stored.has_value());
        auto found = co_await host.look_up(subject.substr(11));
        CHECK(!found.is_known);
    }
    CHECK(host.notices.empty());
    CHECK(log.count("cannot be read") == 1);
    auto claimed = co_await host.write("t1", 0, claim_of("h1"));
    CHECK(claimed.result == WriteResult::refused);
    co_await host.publish("t3");
    nats::Outgoing task{"troupe.p.q.p0_2d06800538d394c2.no-task:id", "x"};
    auto stored = co_await jetstream.publish(task);
    REQUIRE(stored.has_value());
    auto pull = host.pull(2, true);
    co_await host.until([&] { return host.has_ended(pull); });
    CHECK(host.deliveries.size() == 1);
    CHECK(log.count("no-task:id in the queue is no task") == 1);
    for (const char* text : {"", "x", "{}", R"({"kind":"ask","task":"*","nonce":"1-1"})"}) {
        nats::Outgoing control{"troupectl.p.edge.h1", text};
        REQUIRE(stranger.publish(control).has_value());
    }
    auto flushed = co_await stranger.flush(patience);
    REQUIRE(flushed.has_value());
    co_await host.look_up("t3");
    CHECK(host.questions.empty());
    CHECK(host.losses.empty());
}

asio::awaitable<void> end_early(EngineWorld& world, Host& host, std::size_t& answers) {
    co_await host.connected();
    co_await host.publish("t");
    host.engine->watch("t");
    for (std::uint64_t i = 0; i < 10; ++i) {
        host.engine->write({{i}, "t", i, claim_of("h1")}, {}, [&](const edge::Written&) { ++answers; });
        host.engine->look_up({{i}, "t", true}, queue_of(),
                             [&](const edge::LookedUp&, const std::string&) { ++answers; });
        host.pull(1, i % 2 == 0);
    }
    host.engine->publish({{20}, "-", queue_of()}, {},
                         [&](const edge::submitter_side::Published&, const std::string&) { ++answers; });
    co_await world.stop();
    std::size_t before = answers;
    CHECK(host.losses.empty());
    host.engine->write({{30}, "t", 0, claim_of("h1")}, {}, [&](const edge::Written&) { ++answers; });
    host.engine->unwatch("t");
    for (int i = 0; i < 10; ++i)
        co_await asio::post(asio::use_awaitable);
    CHECK(answers == before);
}

}  // namespace

TEST_CASE("engine: what is too large, or has no proper id, is refused in a sentence") {
    NatsServer server(with_store + "max_payload: 20000\n");
    EngineWorld world;
    world.run(too_large(world.add(engine_settings(server))));
}

TEST_CASE("engine: a permission that is lacking is told once") {
    NatsServer server(with_store + users);
    EngineWorld world;
    LogLines log;
    world.run(lack_permissions(world, server, log));
}

TEST_CASE("engine: a wrong password is told once, until it is the right one") {
    NatsServer server(with_store + users);
    EngineWorld world;
    world.run(
        be_refused(world.add(with_password(server, "admin", "wrong")), server.directory() / "password"));
}

TEST_CASE("engine: a server without JetStream is reported") {
    NatsServer server;
    EngineWorld world;
    world.run(lack_jetstream(world.add(engine_settings(server))));
}

TEST_CASE("engine: what no edge has written does no harm, and is told once") {
    NatsServer server(with_store);
    EngineWorld world;
    LogLines log;
    world.run(find_strange(world.add(engine_settings(server)), world.add_client(server), log));
}

TEST_CASE("engine: nothing is called back after its end") {
    NatsServer server(with_store);
    std::size_t answers = 0;
    EngineWorld world;
    world.run(end_early(world, world.add(engine_settings(server)), answers));
}
