#include "client.hpp"

#include <catch2/catch.hpp>

TEST_CASE("each revision with a handshake is agreed to, and any other answered with the newest of them") {
    auto [asked, agreed] = GENERATE(table<std::string, std::string>({{"2024-11-05", "2024-11-05"},
                                                                     {"2025-03-26", "2025-03-26"},
                                                                     {"2025-06-18", "2025-06-18"},
                                                                     {"2025-11-25", "2025-11-25"},
                                                                     {"2026-07-28", "2025-11-25"},
                                                                     {"2099-01-01", "2025-11-25"},
                                                                     {"", "2025-11-25"}}));
    Client client;
    std::string answer = client.initialize(asked);
    CHECK(has(answer, R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":")" + agreed + "\""));
    CHECK(has(answer, R"("instructions":"Use it.")"));
    CHECK(has(answer, R"("name":"test")"));
}

TEST_CASE("a list has what the agreed revision knows, and nothing else") {
    Client old;
    old.initialize("2024-11-05");
    std::string tools = old.request("1", "tools/list");
    CHECK(has(
        tools,
        R"({"name":"look","description":"Looks.","inputSchema":{"type":"object","properties":{"a":{},"bound_seconds":{}}}})"));
    Client newer;
    newer.initialize("2025-06-18");
    tools = newer.request("1", "tools/list");
    CHECK(has(tools, R"("title":"Look")"));
    CHECK(has(tools, R"("outputSchema":{"type":"object"})"));
    CHECK(has(tools, R"("readOnlyHint":true,"destructiveHint":false,"idempotentHint":false)"));
    CHECK_FALSE(has(tools, "resultType"));
}

TEST_CASE("before a session there is ping, and nothing else without _meta") {
    Client client;
    CHECK(client.request("1", "ping") == R"({"jsonrpc":"2.0","id":1,"result":{}})");
    std::string answer = client.request("2", "tools/list");
    CHECK(has(answer, "\"id\":2,\"error\":{\"code\":-32602"));
    CHECK(has(answer, "send `initialize` first"));
    CHECK(has(client.request("3", "server/discover"), "-32602"));
}

TEST_CASE("a session is initialized once, and its version must be a string") {
    Client client;
    CHECK(has(client.request("1", "initialize"), "-32602"));
    CHECK(has(client.request("1", "initialize", R"({"protocolVersion":1})"), "-32602"));
    CHECK(has(client.initialize(), "result"));
    CHECK(has(client.initialize(), R"("id":0,"error":{"code":-32600)"));
    CHECK(has(client.request("2", "tools/list"), "result"));
}

TEST_CASE("a stateless request stands for itself") {
    Client client;
    std::string answer = client.stateless("\"a\"", "server/discover");
    CHECK(has(answer, R"("id":"a","result":{"resultType":"complete","supportedVersions":["2026-07-28"])"));
    CHECK(has(answer, R"("ttlMs":300000,"cacheScope":"public")"));
    CHECK(has(answer, R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test")"));
    CHECK(has(client.stateless("1", "tools/list"), R"("outputSchema")"));
    CHECK(has(client.stateless("2", "ping"), "-32601"));
    CHECK(has(client.stateless("3", "resources/subscribe"), "-32601"));
}

TEST_CASE("both ages share a connection, and don't change each other") {
    Client client;
    client.initialize("2025-03-26");
    CHECK(has(client.stateless("1", "tools/list"), R"("resultType":"complete")"));
    std::string answer = client.request("2", "tools/list");
    CHECK_FALSE(has(answer, "resultType"));
    CHECK_FALSE(has(answer, "outputSchema"));
    CHECK(has(client.request("3", "subscriptions/listen"), "-32601"));
    CHECK(has(client.request("4", "server/discover"), "-32601"));
}

TEST_CASE("a version that is not spoken is answered with those that are") {
    Client client;
    auto with = [&](std::string_view meta) {
        return client.request("7", "tools/list", base::concat(R"({"_meta":{)", meta, "}}"));
    };
    CHECK(has(
        with(R"("io.modelcontextprotocol/protocolVersion":"1900-01-01")"),
        R"("code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"})"));
    CHECK(has(with(R"("io.modelcontextprotocol/protocolVersion":"2025-11-25")"), "-32022"));
    CHECK(has(with(R"("io.modelcontextprotocol/protocolVersion":7)"), "-32602"));
    CHECK(has(with(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")"), "-32602"));
    CHECK(has(with(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                   R"("io.modelcontextprotocol/clientCapabilities":[])"),
              "-32602"));
}

TEST_CASE("what is no message is answered with the error of the specification, and the server lives on") {
    auto [line, error] = GENERATE(table<std::string, std::string>(
        {{"{", "\"error\":{\"code\":-32700"},
         {"nonsense", "-32700"},
         {"\xff", "-32700"},
         {std::string(2000, '['), "-32700"},
         {"1", "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600"},
         {"null", "-32600"},
         {"[]", "-32600"},
         {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", "-32600"},
         {"{}", "-32600"},
         {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", "\"id\":1,\"error\":{\"code\":-32600"},
         {R"({"id":1,"method":"ping"})", "\"id\":1,\"error\":{\"code\":-32600"},
         {R"({"jsonrpc":"2.0","id":null,"method":"ping"})",
          "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600"},
         {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600"},
         {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", "-32600"},
         {R"({"jsonrpc":"2.0","id":1,"method":7})", "\"id\":1,\"error\":{\"code\":-32600"},
         {R"({"jsonrpc":"2.0","id":1})", "\"id\":1,\"error\":{\"code\":-32600"},
         {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})", "\"id\":1,\"error\":{\"code\":-32602"},
         {R"({"jsonrpc":"2.0","id":1,"method":"nothing"})", "\"id\":1,\"error\":{\"code\":-32601"},
         {R"({"jsonrpc":"2.0","id":1,"method":"notifications/initialized"})", "-32601"},
         {R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{}})", "-32601"}}));
    Client client;
    client.initialize();
    CHECK(has(client.send(line), error));
    CHECK(has(client.request("99", "ping"), "\"id\":99,\"result\":{}"));
    CHECK(client.started.empty());
}

TEST_CASE("a message that is too long is refused, whatever it says, and a blank line is none") {
    mcp::Offer offer = small_offer();
    offer.longest_message = 200;
    Client client(offer);
    client.initialize();
    std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    std::string room(200 - ping.size(), ' ');
    CHECK(has(client.send(ping + room), "\"id\":1,\"result\":{}"));
    CHECK(has(client.send(ping + room + " "), "the message has more than 200 bytes"));
    CHECK(client.send("").empty());
    CHECK(client.send(" \t\r").empty());
    CHECK(has(client.send(std::string(201, ' ')), "-32600"));
}

TEST_CASE("notifications and responses are not answered") {
    Client client;
    client.initialize();
    CHECK(client.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").empty());
    CHECK(client.send(R"({"jsonrpc":"2.0","method":"anything","params":7})").empty());
    CHECK(client.send(R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"look"}})").empty());
    CHECK(client.send(R"({"jsonrpc":"2.0","id":5,"result":{}})").empty());
    CHECK(client.send(R"({"jsonrpc":"2.0","id":5,"error":{"code":1,"message":""}})").empty());
    CHECK(client.started.empty());
}
