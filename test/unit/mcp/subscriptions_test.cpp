#include "client.hpp"

#include <catch2/catch.hpp>

using namespace mcp;

namespace {

std::string updated(Client& client, std::string_view uri) {
    return client.take(client.machine.resource_updated(uri));
}

}  // namespace

TEST_CASE("a server without resources that change says so") {
    Offer offer = small_offer();
    offer.is_subscribable = nullptr;
    Client client(std::move(offer));
    CHECK(has(client.initialize(), R"("resources":{})"));
    CHECK(has(client.request("1", "resources/subscribe", R"({"uri":"test://things/1"})"),
              "can be subscribed to"));
    Client with_some;
    CHECK(has(with_some.initialize(), R"("resources":{"subscribe":true,"listChanged":true})"));
}

TEST_CASE("a session subscribes to resources one by one") {
    Client client;
    client.initialize();
    CHECK(has(client.request("1", "resources/subscribe", R"({"uri":"test://things/1"})"), R"("result":{})"));
    CHECK(client.watched == std::set<std::string>{"test://things/1"});
    CHECK(
        updated(client, "test://things/1") ==
        R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"test://things/1"}})");
    CHECK(updated(client, "test://things/2").empty());
    CHECK(has(client.request("2", "resources/subscribe", R"({"uri":"test://else"})"), "-32002"));
    CHECK(
        has(client.request("3", "resources/unsubscribe", R"({"uri":"test://things/1"})"), R"("result":{})"));
    CHECK(client.watched.empty());
    CHECK(updated(client, "test://things/1").empty());
    CHECK(has(client.take(client.machine.resource_list_changed()), "notifications/resources/list_changed"));
}

TEST_CASE("without a session, a stream says first what it will tell") {
    Client client;
    CHECK(has(client.stateless("1", "subscriptions/listen"), "-32602"));
    CHECK(
        client.stateless("\"s\"", "subscriptions/listen",
                         R"("notifications":{"toolsListChanged":true,"resourcesListChanged":true,)"
                         R"("resourceSubscriptions":["test://things/1","test://else",7]},)") ==
        R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},)"
        R"("notifications":{"resourcesListChanged":true,"resourceSubscriptions":["test://things/1"]}}})");
    CHECK(client.watched == std::set<std::string>{"test://things/1"});
    CHECK(has(updated(client, "test://things/1"),
              R"({"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"uri":"test://things/1"})"));
    CHECK(has(client.take(client.machine.resource_list_changed()), "subscriptionId\":\"s\""));
    CHECK(has(client.stateless("\"s\"", "tools/list"), "-32600"));
    CHECK(client.cancel("\"s\"").empty());
    CHECK(client.watched.empty());
    CHECK(updated(client, "test://things/1").empty());
}

TEST_CASE("at its end the server closes its streams") {
    Client client;
    client.stateless("1", "subscriptions/listen", R"("notifications":{},)");
    CHECK(has(
        client.take(client.machine.ended()),
        R"("id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1)"));
    CHECK(client.take(client.machine.ended()).empty());
}
