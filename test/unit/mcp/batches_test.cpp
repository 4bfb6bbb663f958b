#include "client.hpp"

#include <catch2/catch.hpp>

using namespace mcp;

TEST_CASE("a batch is answered together, when all of it is") {
    Client client;
    client.initialize("2025-03-26");
    CHECK(client
              .send(R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}},)"
                    R"({"jsonrpc":"2.0","method":"notifications/initialized"},)"
                    R"({"jsonrpc":"2.0","id":2,"method":"ping"},7])")
              .empty());
    std::string answer = client.finish(1, ToolResult{"{}", {}});
    CHECK(answer.front() == '[');
    CHECK(has(answer, R"("id":2,"result":{})"));
    CHECK(has(answer, R"({"jsonrpc":"2.0","error":{"code":-32600)"));
    CHECK(has(answer, R"("id":1,"result":{"content")"));
    CHECK(answer.back() == ']');
}

TEST_CASE("a batch waits for no call that was cancelled, and may have no answer at all") {
    Client client;
    client.initialize("2025-03-26");
    client.send(R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}},)"
                R"({"jsonrpc":"2.0","id":2,"method":"ping"}])");
    CHECK(client.cancel("1") == R"([{"jsonrpc":"2.0","id":2,"result":{}}])");
    CHECK(client.send(R"([{"jsonrpc":"2.0","method":"x"}])").empty());
    CHECK(has(client.send("[]"), "-32600"));
    client.send(R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}},)"
                R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}])");
    CHECK(client.cancelled.size() == 2);
}

TEST_CASE("only one revision has batches, and none begins with a batch") {
    Client client;
    std::string initialize =
        R"([{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}])";
    CHECK(has(client.send(initialize), "-32600"));
    client.initialize("2025-06-18");
    CHECK(has(client.send(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"), "-32600"));
}
