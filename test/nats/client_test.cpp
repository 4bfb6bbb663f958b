// The client against real servers that are killed, stopped, full or somewhere else.
#include "client_world.hpp"
#include "nats/headers.hpp"
#include "nats_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

using Catch::Matchers::Contains;
using namespace test;
using nats::Errc;

namespace {

asio::awaitable<void> exchange(ClientWorld& world) {
    Inbox inbox(world);
    auto subscription = world.client.subscribe("a.*", inbox.handler());
    REQUIRE(subscription.has_value());
    std::string headers = nats::Headers().add("Key", "value").block();
    REQUIRE(world.client.publish({"a.b", "hello", headers, "r"}).has_value());
    REQUIRE(world.client.publish({"b.b", "not this"}).has_value());
    REQUIRE(world.client.publish({"a.c", std::string(100'000, 'x')}).has_value());
    co_await inbox.wait_for(2);
    CHECK(inbox.messages[0].subject == "a.b");
    CHECK(inbox.messages[0].payload == "hello");
    CHECK(inbox.messages[0].reply == "r");
    CHECK(nats::header(inbox.messages[0].headers, "Key") == "value");
    CHECK(inbox.messages[1].payload.size() == 100'000);
    subscription = nats::Subscription();
    REQUIRE(world.client.publish({"a.b"}).has_value());
    auto flushed = co_await world.client.flush(patience);
    CHECK(flushed.has_value());
    CHECK(inbox.messages.size() == 2);
}

asio::awaitable<void> once(ClientWorld& world) {
    nats::Client& client = world.client;
    Inbox others(world);
    nats::Subscription subscription, other;
    int count = 0;
    auto take = [&](const nats::Message& message) {
        ++count;
        subscription = nats::Subscription();
        other = *client.subscribe("b", others.handler());
        CHECK(client.publish({"b", message.payload}).has_value());
    };
    subscription = *client.subscribe("a", take);
    for (const char* payload : {"1", "2"})
        REQUIRE(client.publish({"a", payload}).has_value());
    co_await others.wait_for(1);
    auto flushed = co_await client.flush(patience);
    REQUIRE(flushed.has_value());
    CHECK(count == 1);
    CHECK(others.messages.size() == 1);
}

asio::awaitable<void> ask_silent(nats::Client& client, bool& is_answered) {
    nats::Outgoing message{"silent"};
    co_await client.request(message, patience);
    is_answered = true;
}

asio::awaitable<void> cancel_request(ClientWorld& world) {
    auto silent = world.client.subscribe("silent", [](const nats::Message&) {});
    io::TaskGroup group(world.loop.get_executor(), io::log_exception);
    bool is_answered = false;
    group.spawn("a request", ask_silent(world.client, is_answered));
    auto flushed = co_await world.client.flush(patience);
    REQUIRE(flushed.has_value());
    group.cancel();
    co_await group.join();
    CHECK(!is_answered);
}

asio::awaitable<void> requests(ClientWorld& world) {
    nats::Client& client = world.client;
    auto echo = client.subscribe("echo", [&client](nats::Message message) {
        CHECK(client.publish({message.reply, message.payload}).has_value());
    });
    auto silent = client.subscribe("silent", [](const nats::Message&) {});
    nats::Outgoing message{"echo", "hello"};
    auto reply = co_await client.request(message, patience);
    REQUIRE(reply.has_value());
    CHECK(reply->payload == "hello");
    message.subject = "nobody";
    reply = co_await client.request(message, patience);
    CHECK(reply.error().code == Errc::no_responders);
    message.subject = "silent";
    reply = co_await client.request(message, 50ms);
    CHECK(reply.error().code == Errc::timed_out);
    std::string big(2 << 20, 'x');
    message.payload = big;
    reply = co_await client.request(message, patience);
    CHECK(reply.error().code == Errc::too_large);
}

}  // namespace

TEST_CASE("messages go through a server, with headers, and until the subscription ends") {
    NatsServer server;
    ClientWorld(settings_for(server.address())).run(exchange);
}

TEST_CASE("a handler may end its subscription, make another, and publish") {
    NatsServer server;
    ClientWorld(settings_for(server.address())).run(once);
}

TEST_CASE("whoever waits for a reply can be cancelled") {
    NatsServer server;
    ClientWorld(settings_for(server.address())).run(cancel_request);
}

TEST_CASE("requests are answered, or fail with the reason") {
    NatsServer server;
    ClientWorld(settings_for(server.address())).run(requests);
}

namespace {

asio::awaitable<void> outlive_server(ClientWorld& world, NatsServer& server) {
    Inbox inbox(world);
    auto subscription = world.client.subscribe("a", inbox.handler());
    auto silent = world.client.subscribe("silent", [](const nats::Message&) {});
    co_await world.notice("ready");
    auto flushed = co_await world.client.flush(patience);
    REQUIRE(flushed.has_value());
    nats::Outgoing message{"silent"};
    auto waiting = world.client.request(message, patience);
    server.kill();
    auto reply = co_await std::move(waiting);
    CHECK(reply.error().code == Errc::disconnected);
    std::string lost = co_await world.notice("lost");
    CHECK_THAT(lost, Contains("the connection to 127.0.0.1:"));
    REQUIRE(world.client.publish({"a", "kept"}).has_value());
    std::string failed = co_await world.notice("failed");
    CHECK_THAT(failed, Contains("cannot connect to 127.0.0.1:") && Contains("Connection refused"));
    server.start();
    co_await world.notice("ready");
    co_await inbox.wait_for(1);
    CHECK(inbox.messages[0].payload == "kept");
}

asio::awaitable<void> change_servers(ClientWorld& world, NatsServer& first, NatsServer& second) {
    std::string ready = co_await world.notice("ready");
    bool is_first = ready.ends_with(":" + std::to_string(first.port()));
    (is_first ? first : second).kill();
    co_await world.notice("lost");
    std::string other = co_await world.notice("ready");
    CHECK(other != ready);
}

asio::awaitable<void> learn_server(ClientWorld& world, NatsServer& first, NatsServer& second) {
    co_await world.notice("ready");
    while (world.client.server_info().addresses.size() < 2) {
        auto flushed = co_await world.client.flush(patience);
        REQUIRE(flushed.has_value());
    }
    first.kill();
    co_await world.notice("lost");
    std::string other = co_await world.notice("ready");
    CHECK(other == "ready: 127.0.0.1:" + std::to_string(second.port()));
}

asio::awaitable<void> lame_duck(ClientWorld& world, NatsServer& server) {
    co_await world.notice("ready");
    server.signal(SIGUSR2);
    std::string duck = co_await world.notice("lame duck");
    CHECK(duck == "lame duck: 127.0.0.1:" + std::to_string(server.port()));
}

}  // namespace

TEST_CASE("a server that is killed and started again is found again, with all subscriptions") {
    NatsServer server;
    ClientWorld(settings_for(server.address())).run([&](ClientWorld& world) {
        return outlive_server(world, server);
    });
}

TEST_CASE("when a server dies, the client goes to another one") {
    NatsServer first, second;
    ClientWorld(settings_for(first.address() + "," + second.address())).run([&](ClientWorld& world) {
        return change_servers(world, first, second);
    });
}

TEST_CASE("a client learns the servers of a cluster from the one that it was given") {
    NatsServer first("cluster { name: c, listen: \"127.0.0.1:-1\" }\n");
    NatsServer second("cluster { name: c, listen: \"127.0.0.1:-1\", routes: [\"nats-route://127.0.0.1:" +
                      std::to_string(first.cluster_port()) + "\"] }\n");
    ClientWorld(settings_for(first.address())).run([&](ClientWorld& world) {
        return learn_server(world, first, second);
    });
}

TEST_CASE("a server that shuts down soon says so") {
    NatsServer server;
    ClientWorld(settings_for(server.address())).run([&](ClientWorld& world) {
        return lame_duck(world, server);
    });
}

namespace {

constexpr int count = 3000;

// The server does not read for a while.
asio::awaitable<void> slow_reader(ClientWorld& world, NatsServer& server) {
    nats::Client& client = world.client;
    Inbox inbox(world);
    auto subscription = client.subscribe("a", inbox.handler());
    co_await world.notice("ready");
    server.signal(SIGSTOP);
    const std::string padding(10'000, 'x');
    bool was_full = false;
    for (int sent = 0; sent < count;) {
        std::string payload = std::to_string(sent) + " " + padding;
        auto published = client.publish({"a", payload});
        CHECK(client.waiting_bytes() < 2'100'000);
        if (published.has_value()) {
            ++sent;
            continue;
        }
        REQUIRE(published.error().code == Errc::buffer_full);
        if (!std::exchange(was_full, true)) server.signal(SIGCONT);
        co_await client.drained(100'000);
    }
    CHECK(was_full);
    co_await inbox.wait_for(count);
    for (int i = 0; i < count; ++i)
        REQUIRE(inbox.messages[static_cast<std::size_t>(i)].payload.starts_with(std::to_string(i) + " "));
}

asio::awaitable<void> frozen_server(ClientWorld& world, NatsServer& server) {
    co_await world.notice("ready");
    server.signal(SIGSTOP);
    std::string lost = co_await world.notice("lost");
    CHECK_THAT(lost, Contains("nothing was heard of it"));
    std::string failed = co_await world.notice("failed");
    CHECK_THAT(failed, Contains("has not answered in time"));
    server.signal(SIGCONT);
    co_await world.notice("ready");
}

}  // namespace

TEST_CASE("a server that reads slowly makes the publisher wait, and gets all in order") {
    NatsServer server;
    auto settings = settings_for(server.address());
    settings.output_limit = 1'000'000;
    ClientWorld(settings).run([&](ClientWorld& world) { return slow_reader(world, server); });
}

TEST_CASE("a server that does not answer any more is lost, and found again later") {
    NatsServer server;
    auto settings = settings_for(server.address());
    settings.ping_after = 200ms;
    settings.ping_patience = settings.connect_patience = 1s;
    ClientWorld(settings).run([&](ClientWorld& world) { return frozen_server(world, server); });
}

namespace {

using asio::ip::tcp;

// Says `words` to whoever connects, and may close the connection then.
asio::awaitable<void> say(tcp::acceptor& acceptor, std::string words, bool closes) {
    std::vector<tcp::socket> kept;
    while (true) {
        tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
        boost::system::error_code ignored;
        asio::write(socket, asio::buffer(words), ignored);
        if (!closes) kept.push_back(std::move(socket));
    }
}

// It tries again after the first.
asio::awaitable<void> two_failures(ClientWorld& world, std::string& first) {
    first = co_await world.notice("failed");
    co_await world.notice("failed");
}

std::string failure_with(std::string words, nats::Duration patience_with_it = patience, bool closes = false) {
    asio::io_context any(1);
    tcp::acceptor listening(any, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    nats::Settings settings =
        settings_for("nats://127.0.0.1:" + std::to_string(listening.local_endpoint().port()));
    settings.connect_patience = patience_with_it;
    ClientWorld world(settings);
    tcp::acceptor acceptor(world.loop, tcp::v4(), listening.release());
    io::TaskGroup group(world.loop.get_executor(), io::log_exception);
    group.spawn("a server of nonsense", say(acceptor, std::move(words), closes));
    std::string failed;
    world.run([&failed](ClientWorld& w) { return two_failures(w, failed); });
    group.cancel();
    test::run(world.loop, group.join());
    return failed;
}

}  // namespace

TEST_CASE("a server that says nonsense, or nothing, is reported in one sentence, and tried again") {
    CHECK_THAT(failure_with("SSH-2.0-OpenSSH_9.2\r\n"), Contains("what is not NATS: SSH-2.0-OpenSSH_9.2"));
    CHECK_THAT(failure_with(std::string(100'000, 'x')), Contains("a line of more than 65536 bytes"));
    CHECK_THAT(failure_with("INFO {\r\n"), Contains("an INFO that is no JSON object"));
    CHECK_THAT(failure_with("", 300ms), Contains("has not answered in time"));
    CHECK_THAT(failure_with("", patience, true), Contains("has closed it"));
    CHECK_THAT(failure_with("INFO {\"headers\":true}\r\n", 300ms), Contains("has not answered in time"));
    CHECK_THAT(failure_with("INFO {\"headers\":true}\r\nMSG a 1 99999999\r\n"),
               Contains("a message of more than"));
}

TEST_CASE("a name that does not exist is reported") {
    ClientWorld(settings_for("nats://no-such-host.invalid"))
        .run([](ClientWorld& world) -> asio::awaitable<void> {
            std::string failed = co_await world.notice("failed");
            CHECK_THAT(failed,
                       Contains("cannot find the host no-such-host.invalid") && Contains("check its name"));
        });
}

namespace {

// Listens where a client connects to, and is the server there.
class Listener {
  public:
    Listener() : listening_(any_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {}
    nats::Settings settings() const {
        return settings_for("nats://127.0.0.1:" + std::to_string(listening_.local_endpoint().port()));
    }
    asio::awaitable<tcp::socket> accept(ClientWorld& world) {
        tcp::acceptor acceptor(world.loop, tcp::v4(), listening_.release());
        tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
        asio::write(socket, asio::buffer(std::string_view("INFO {\"headers\":true}\r\nPONG\r\n")));
        co_await world.notice("ready");
        co_return socket;
    }

  private:
    asio::io_context any_{1};
    tcp::acceptor listening_;
};

// Reads all, and returns how the connection ends.
asio::awaitable<boost::system::error_code> end_of(tcp::socket& socket) {
    boost::system::error_code ec;
    std::vector<char> piece(1 << 16);
    while (!ec)
        co_await socket.async_read_some(asio::buffer(piece), asio::redirect_error(asio::use_awaitable, ec));
    co_return ec;
}

asio::awaitable<void> give_up(ClientWorld& world, Listener& listener) {
    tcp::socket socket = co_await listener.accept(world);
    base::Result<nats::Message> reply;
    bool is_answered = false;
    nats::Client::OnReply on_reply = [&](base::Result<nats::Message> message) {
        reply = std::move(message);
        is_answered = true;
    };
    REQUIRE(world.client.request({"a"}, patience, on_reply).has_value());
    CHECK(!is_answered);
    world.client.reconnect(base::invalid("it is another one"));
    std::string lost = co_await world.notice("lost");
    CHECK_THAT(lost, Contains("it is another one"));
    CHECK(is_answered);
    CHECK(reply.error().code == Errc::disconnected);
    auto end = co_await end_of(socket);
    CHECK(end == asio::error::connection_reset);
}

asio::awaitable<void> write_late(ClientWorld& world, Listener& listener) {
    tcp::socket socket = co_await listener.accept(world);
    using Clock = std::chrono::steady_clock;
    REQUIRE(world.client.publish({"late"}).has_value());
    for (auto begin = Clock::now(); Clock::now() - begin < 600ms;) {
    }
    std::string lost = co_await world.notice("lost");
    CHECK_THAT(lost, Contains("this process was suspended"));
    auto end = co_await end_of(socket);
    CHECK(end == asio::error::connection_reset);
}

}  // namespace

TEST_CASE("a connection that is given up is reset, and its requests fail") {
    Listener listener;
    ClientWorld(listener.settings()).run([&](ClientWorld& world) { return give_up(world, listener); });
}

TEST_CASE("what was published before a suspension is not sent after it") {
    Listener listener;
    auto settings = listener.settings();
    settings.write_patience = 500ms;
    ClientWorld(settings).run([&](ClientWorld& world) { return write_late(world, listener); });
}
