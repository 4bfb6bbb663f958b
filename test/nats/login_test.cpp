// Users, passwords, keys, JWTs and permissions against real servers.
#include "base/base64.hpp"
#include "client_world.hpp"
#include "nats/nkey.hpp"
#include "nats_server.hpp"

#include <sys/stat.h>

using Catch::Matchers::Contains;
using namespace test;
using nats::Errc;

namespace {

// Made for this test: 32 bytes of 1, of 2, 3 or 4.
const std::string operator_seed = "SOAACAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIATA";
const std::string account_seed = "SAAAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAUN5U";
const std::string user_seed = "SUAAGAYDAMBQGAYDAMBQGAYDAMBQGAYDAMBQGAYDAMBQGAYDAMBQGA6BEM";
const std::string other_seed = "SUAAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBH4FY";

nats::KeyPair key_of(const std::string& seed) {
    auto pair = nats::KeyPair::from_seed(seed);
    REQUIRE(pair.has_value());
    return *pair;
}

// What the issuer says about the subject, in the way of NATS.
std::string jwt(const std::string& issuer_seed, const std::string& subject, const std::string& claims) {
    nats::KeyPair issuer = key_of(issuer_seed);
    std::string text =
        base::to_base64_url(R"({"typ":"JWT","alg":"ed25519-nkey"})") + "." +
        base::to_base64_url(R"({"jti":"x","iat":1,"iss":")" + issuer.public_key() +
                            R"(","name":"n","sub":")" + subject + R"(","nats":)" + claims + "}");
    return text + "." + base::to_base64_url(issuer.sign(text));
}

struct Secrets : TemporaryDirectory {
    std::string add(const std::string& name, const std::string& text) {
        write(*this / name, text);
        REQUIRE(::chmod((*this / name).c_str(), 0600) == 0);
        return *this / name;
    }
    nats::CredentialFiles password(const std::string& user, const std::string& text) {
        return {user, add("password", text), ""};
    }
    nats::CredentialFiles creds(const std::string& text) { return {"", "", add("creds", text)}; }
};

// "ready", or why the login has failed.
std::string outcome(const NatsServer& server, nats::CredentialFiles credentials) {
    ClientWorld world(settings_for(server.address()), {std::move(credentials), {}});
    world.run([](ClientWorld& w) -> asio::awaitable<void> { co_await w.notice(""); });
    return world.notices.at(0);
}

const std::string users = R"(authorization { users: [
    { user: edge, password: right, permissions: { publish: ["ok.>"], subscribe: ["_INBOX.>", "ok.>"] } }
    { user: deaf, password: right, permissions: { publish: ">", subscribe: ["ok.>"] } }
] }
)";

}  // namespace

TEST_CASE("a password is right, wrong, or missing") {
    NatsServer server(users);
    Secrets secrets;
    CHECK_THAT(outcome(server, secrets.password("edge", "right\n")), Catch::StartsWith("ready: "));
    for (const char* user : {"edge", "nobody"})
        CHECK_THAT(outcome(server, secrets.password(user, "wrong")),
                   Contains("refuses the credentials: the user, the password or the key is wrong") &&
                       Contains("(Authorization Violation)"));
    CHECK_THAT(outcome(server, {}), Contains("demands credentials, and none were given"));
    nats::CredentialFiles missing{"edge", secrets / "none", ""};
    CHECK_THAT(outcome(server, missing), Contains("cannot read the password file " + (secrets / "none")));
}

TEST_CASE("a key is known to the server or not") {
    NatsServer server("authorization { users: [ { nkey: " + key_of(user_seed).public_key() + " } ] }\n");
    Secrets secrets;
    CHECK_THAT(outcome(server, secrets.creds(user_seed)), Catch::StartsWith("ready: "));
    CHECK_THAT(outcome(server, secrets.creds(other_seed)), Contains("refuses the credentials"));
    NatsServer without;
    CHECK_THAT(outcome(without, secrets.creds(user_seed)), Contains("it has sent no nonce"));
}

TEST_CASE("a JWT lets its user log in with the key, if it is of the account") {
    std::string operator_key = key_of(operator_seed).public_key();
    std::string account_key = key_of(account_seed).public_key();
    std::string user_key = key_of(user_seed).public_key();
    std::string limits =
        R"({"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,)"
        R"("leaf":-1})";
    std::string account =
        jwt(operator_seed, account_key, R"({"limits":)" + limits + R"(,"type":"account","version":2})");
    NatsServer server("operator: " + jwt(operator_seed, operator_key, R"({"type":"operator","version":2})") +
                      "\nresolver: MEMORY\nresolver_preload: { " + account_key + ": " + account + " }\n");
    auto creds = [&](const std::string& issuer, const std::string& seed) {
        std::string claims =
            R"({"pub":{},"sub":{},"subs":-1,"data":-1,"payload":-1,"type":"user","version":2})";
        return "-----BEGIN NATS USER JWT-----\n" + jwt(issuer, user_key, claims) +
               "\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n" + seed +
               "\n------END USER NKEY SEED------\n";
    };
    Secrets secrets;
    CHECK_THAT(outcome(server, secrets.creds(creds(account_seed, user_seed))), Catch::StartsWith("ready: "));
    CHECK_THAT(outcome(server, secrets.creds(creds(account_seed, other_seed))),
               Contains("refuses the credentials"));
    CHECK_THAT(outcome(server, secrets.creds(creds(operator_seed, user_seed))),
               Contains("refuses the credentials"));
}

namespace {

asio::awaitable<void> wait_for_right_password(ClientWorld& world, Secrets& secrets) {
    co_await world.notice("failed");
    secrets.add("password", "right");
    co_await world.notice("ready");
}

asio::awaitable<void> ask_without_permission(ClientWorld& world) {
    nats::Client& client = world.client;
    co_await world.notice("ready");
    nats::Outgoing message{"secret.a"};
    auto reply = co_await client.request(message, patience);
    REQUIRE(reply.has_error());
    CHECK(reply.error().code == Errc::permission);
    CHECK_THAT(reply.error().message, Contains("does not permit this user to publish to secret.a"));
    REQUIRE(client.publish({"secret.b"}).has_value());
    std::string refused = co_await world.notice("refused");
    CHECK_THAT(refused, Contains("publish to secret.b"));
    io::Bell reported(world.loop.get_executor());
    std::string text;
    auto on_refused = [&](const base::Error& error) {
        text = error.message;
        reported.ring();
    };
    auto subscription = client.subscribe(
        "secret.>", [](const nats::Message&) {}, on_refused);
    co_await reported.wait();
    CHECK_THAT(text, Contains("does not permit this user to subscribe to secret.>"));
    auto in_queue = client.subscribe(
        "secret.q", [](const nats::Message&) {}, on_refused, "workers");
    co_await reported.wait();
    CHECK_THAT(text, Contains("subscribe to secret.q"));
    // The connection goes on.
    message.subject = "ok.nobody";
    reply = co_await client.request(message, patience);
    CHECK(reply.error().code == Errc::no_responders);
}

asio::awaitable<void> ask_without_inbox(ClientWorld& world) {
    std::string refused = co_await world.notice("refused");
    CHECK_THAT(refused, Contains("subscribe to _INBOX."));
    nats::Outgoing message{"ok.a"};
    auto reply = co_await world.client.request(message, patience);
    CHECK(reply.error().code == Errc::permission);
}

}  // namespace

TEST_CASE("a password file that is corrected is used at the next attempt") {
    NatsServer server(users);
    Secrets secrets;
    ClientWorld world(settings_for(server.address()), {secrets.password("edge", "wrong"), {}});
    world.run([&](ClientWorld& w) { return wait_for_right_password(w, secrets); });
}

TEST_CASE("a missing permission is reported with the subject, to whom it concerns") {
    NatsServer server(users);
    Secrets secrets;
    ClientWorld(settings_for(server.address()), {secrets.password("edge", "right"), {}})
        .run(ask_without_permission);
}

TEST_CASE("a user who may not subscribe to its inbox learns it from each request") {
    NatsServer server(users);
    Secrets secrets;
    ClientWorld(settings_for(server.address()), {secrets.password("deaf", "right"), {}})
        .run(ask_without_inbox);
}

TEST_CASE("a server that is full says so") {
    NatsServer server("max_connections: 1\n");
    ClientWorld first(settings_for(server.address()));
    first.run([&](ClientWorld& world) -> asio::awaitable<void> {
        co_await world.notice("ready");
        ClientWorld second(settings_for(server.address()));
        second.run([](ClientWorld& w) -> asio::awaitable<void> { co_await w.notice("failed"); });
        CHECK_THAT(second.notices.at(0), Contains("says: ") && Contains("aximum"));
    });
}
