// TLS with real servers: authorities, names, times, and certificates of the client.
#include "certificates.hpp"
#include "client_world.hpp"
#include "nats_server.hpp"

using Catch::Matchers::Contains;
using namespace test;

namespace {

constexpr const char* here = "DNS:localhost,IP:127.0.0.1";

// An authority, and what it has signed.
struct Authorities : TemporaryDirectory {
    explicit Authorities(const std::string& name = "ca") : file(*this / (name + ".pem")) {
        write_certificate(file, *certificate);
    }

    // The certificate and its key, as DIR/NAME.pem and DIR/NAME.key.
    tls::Files sign(const std::string& directory, const std::string& name, long begin = -3600,
                    long end = 3600, const char* names = here) const {
        Key own = make_key();
        tls::Files files{directory + "/" + name + ".pem", directory + "/" + name + ".key"};
        write_certificate(files.certificate,
                          *make_certificate(*own, begin, end, names, {certificate.get(), key.get()}, name));
        write_key(files.key, *own);
        return files;
    }

    Key key = make_key();
    Certificate certificate = make_authority(*key);
    std::string file;
};

const std::string with_tls = "tls { cert_file: \"%/server.pem\", key_file: \"%/server.key\", timeout: 5 }\n";
const std::string with_clients =
    "tls { cert_file: \"%/server.pem\", key_file: \"%/server.key\", ca_file: \"%/ca.pem\", verify: true, "
    "timeout: 5 }\n";

NatsServer::Prepare signed_by(const Authorities& ca, long begin = -3600, long end = 3600,
                              const char* names = here) {
    return [&ca, begin, end, names](const TemporaryDirectory& directory) {
        ca.sign(directory.path(), "server", begin, end, names);
        write_certificate(directory / "ca.pem", *ca.certificate);
    };
}

// "ready", or why there is no connection.
std::string outcome(const std::string& address, const tls::ClientFiles& files) {
    ClientWorld world(settings_for(address), {{}, files});
    world.run([](ClientWorld& w) -> asio::awaitable<void> { co_await w.notice(""); });
    return world.notices.at(0);
}

}  // namespace

TEST_CASE("a server with TLS is accepted if an authority of ours has signed it for its name") {
    Authorities ca, other("other");
    NatsServer server(with_tls, signed_by(ca));
    CHECK_THAT(outcome(server.address("tls"), {ca.file, {}}), Catch::StartsWith("ready: "));
    CHECK_THAT(outcome(server.address("nats"), {ca.file, {}}), Catch::StartsWith("ready: "));
    std::string port = ":" + std::to_string(server.port());
    CHECK_THAT(outcome("tls://localhost" + port, {ca.file, {}}), Catch::StartsWith("ready: "));
    CHECK(outcome(server.address("tls"), {other.file, {}}) ==
          "failed: no TLS with the server 127.0.0.1" + port + ": its certificate is not of an authority in " +
              other.file);
    CHECK_THAT(outcome(server.address("nats"), {}), Contains("not of an authority that this system trusts"));
    CHECK_THAT(outcome(server.address("tls"), {ca / "none.pem", {}}), Contains("No such file"));
}

TEST_CASE("a server with another name, or whose certificate has expired, is refused") {
    Authorities ca;
    NatsServer named(with_tls, signed_by(ca, -3600, 3600, "DNS:h1"));
    CHECK_THAT(outcome(named.address("tls"), {ca.file, {}}),
               Contains(": its certificate is not for 127.0.0.1"));
    NatsServer expired(with_tls, signed_by(ca, -7200, -3600));
    CHECK_THAT(outcome(expired.address("tls"), {ca.file, {}}), Contains(": its certificate has expired"));
}

TEST_CASE("where TLS is demanded, a server without it is refused") {
    NatsServer server;
    CHECK_THAT(outcome(server.address("tls"), {}), Contains("has no TLS, which is demanded"));
}

TEST_CASE("a server that demands a certificate gets ours, or says that it wants one") {
    Authorities ca, other("other");
    NatsServer server(with_clients, signed_by(ca));
    tls::Files own = ca.sign(ca.path(), "edge");
    CHECK_THAT(outcome(server.address("tls"), {ca.file, own}), Catch::StartsWith("ready: "));
    CHECK_THAT(outcome(server.address("tls"), {ca.file, {}}),
               Contains("it demands a certificate of this client"));
    tls::Files foreign = other.sign(other.path(), "edge");
    CHECK_THAT(outcome(server.address("tls"), {ca.file, foreign}),
               Contains("it refuses the certificate " + foreign.certificate));
    tls::Files expired = ca.sign(ca.path(), "old", -7200, -3600);
    CHECK_THAT(outcome(server.address("tls"), {ca.file, expired}),
               Contains("the certificate " + expired.certificate + " expired at ") &&
                   Contains("the server would refuse it"));
}

namespace {

asio::awaitable<void> much_both_ways(ClientWorld& world) {
    nats::Client& client = world.client;
    Inbox inbox(world);
    auto subscription = client.subscribe("a", inbox.handler());
    const std::string payload(50'000, 'x');
    for (int i = 0; i < 400; ++i) {
        REQUIRE(client.publish({"a", payload}).has_value());
        co_await client.drained(1'000'000);
    }
    co_await inbox.wait_for(400);
    CHECK(inbox.messages.back().payload == payload);
}

}  // namespace

TEST_CASE("much can be sent and received at the same time over TLS") {
    Authorities ca;
    NatsServer server(with_tls, signed_by(ca));
    ClientWorld(settings_for(server.address("tls")), {{}, {ca.file, {}}}).run(much_both_ways);
}
