#include "client.hpp"

#include <catch2/catch.hpp>

using namespace mcp;

namespace {

std::string call(Client& client, std::string_view id, std::string_view more = "") {
    return client.request(id, "tools/call", base::concat(R"({"name":"look")", more, "}"));
}

std::string many_members(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += base::concat(i == 0 ? "" : ",", "\"m", i, "\":1");
    return text;
}

}  // namespace

TEST_CASE("a tool's result is its object, and the same as text") {
    Client client;
    client.initialize();
    CHECK(call(client, "1", R"(,"arguments":{"a":[1]})").empty());
    REQUIRE(client.started.size() == 1);
    CHECK(std::get<CallTool>(client.started[0].what).arguments == R"({"a":[1]})");
    CHECK(client.started[0].client == "tester");
    Resource rest;
    rest.uri = "test://things/1";
    rest.name = "1";
    CHECK(client.finish(client.started[0].id, ToolResult{R"({"b":"\n"})", {rest}}) ==
          R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"b\":\"\\n\"}"},)"
          R"({"type":"resource_link","uri":"test://things/1","name":"1"}],"structuredContent":{"b":"\n"}}})");
}

TEST_CASE("an older client gets the text alone, a newer one says what the result is") {
    Client old;
    old.initialize("2024-11-05");
    call(old, "1");
    CHECK(old.finish(1, ToolResult{"{}", {Resource()}}) ==
          R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}]}})");
    Client newer;
    newer.stateless("1", "tools/call", R"("name":"look",)");
    CHECK(newer.started.at(0).client == "new");
    CHECK(has(newer.finish(1, ToolResult{"{}", {}}), R"("result":{"resultType":"complete","content":)"));
}

TEST_CASE("a failure of a tool is a result, which the model reads") {
    Client client;
    client.initialize();
    call(client, "1");
    CHECK(has(client.finish(1, ToolFailure{"Try again."}),
              R"("content":[{"type":"text","text":"Try again."}],"isError":true)"));
    call(client, "2");
    CHECK(has(client.finish(2, ToolResult{base::concat("\"", std::string(result_limit, 'x'), "\""), {}}),
              R"("isError":true)"));
    call(client, "3");
    CHECK(has(client.finish(3, InternalError{"broken"}), R"("code":-32603,"message":"broken")"));
}

TEST_CASE("arguments that the tool doesn't have are named in the result, and in a failure") {
    Client client;
    client.initialize();
    call(client, "1", R"(,"arguments":{"a":1,"bound":2,"x\"y":3})");
    CHECK(has(
        client.finish(1, ToolResult{R"({"b":2})", {}}),
        R"("structuredContent":{"b":2,"ignored_arguments":"look has no argument \"bound\"; did you mean \"bound_seconds\"?)"
        R"(\nlook has no argument \"x\\\"y\""}})"));
    call(client, "2", R"(,"arguments":{"x":1})");
    CHECK(has(client.finish(2, ToolResult{"{}", {}}),
              R"("structuredContent":{"ignored_arguments":"look has no argument \"x\""})"));
    call(client, "3", R"(,"arguments":{"x":1})");
    CHECK(has(client.finish(3, ToolFailure{"Try again."}),
              R"("text":"Try again.\nlook has no argument \"x\"")"));
    call(client, "4", base::concat(R"(,"arguments":{)", many_members(5000), "}"));
    CHECK(client.finish(4, ToolResult{"{}", {}}).size() < 5000);
    call(client, "5", R"(,"arguments":null)");
    CHECK(has(client.finish(5, ToolResult{"{}", {}}), R"("structuredContent":{}})"));
}

TEST_CASE("what an error repeats of a message is cut") {
    Client client;
    client.initialize();
    std::string name(100'000, 'x');
    CHECK(client.request("1", "tools/call", base::concat(R"({"name":")", name, "\"}")).size() < 10'000);
    CHECK(client.request("2", name).size() < 10'000);
    call(client, "3");
    CHECK(client.finish(1, ToolFailure{name}).size() < result_limit);
    client.request("4", "resources/read", base::concat(R"({"uri":")", name, "\"}"));
    CHECK(client.finish(2, NotFound{name}).size() < 10'000);
}

TEST_CASE("null stands for what is left out") {
    Client client;
    client.initialize();
    CHECK(has(client.request("1", "tools/list", "null"), R"("name":"look")"));
    CHECK(has(client.request("2", "tools/list", R"({"cursor":null})"), R"("name":"look")"));
}

TEST_CASE("a call that can't be made is an error of the protocol") {
    Client client;
    client.initialize();
    CHECK(has(client.request("1", "tools/call"), "-32602"));
    CHECK(has(client.request("1", "tools/call", R"({"name":"nothing"})"), "Unknown tool: nothing"));
    CHECK(has(call(client, "1", R"(,"arguments":[])"), "-32602"));
    CHECK(has(client.request("1", "prompts/get", R"({"name":"no"})"), "-32602"));
    CHECK(has(client.request("1", "prompts/get", R"({"name":"greet"})"), R"(\"who\" is missing)"));
    CHECK(has(client.request("1", "prompts/get", R"({"name":"greet","arguments":{"who":1}})"), "-32602"));
    CHECK(has(client.request("1", "resources/read"), "-32602"));
    CHECK(has(client.request("1", "completion/complete"), "-32602"));
    CHECK(has(client.request("1", "completion/complete", R"({"ref":{"type":"ref/prompt","name":"greet"}})"),
              "-32602"));
    CHECK(client.started.empty());
}

TEST_CASE("prompts, resources and completions are calls, too") {
    Client client;
    client.initialize();
    client.request("1", "prompts/get", R"({"name":"greet","arguments":{"who":"you"}})");
    CHECK(std::get<GetPrompt>(client.started.at(0).what).arguments.at("who") == "you");
    CHECK(has(client.finish(1, PromptText{"Hello"}),
              R"("messages":[{"role":"user","content":{"type":"text","text":"Hello"}}])"));
    client.request("2", "resources/read", R"({"uri":"test://x"})");
    CHECK(has(client.finish(2, ResourceText{"test://x", "text/plain", "y"}),
              R"("contents":[{"uri":"test://x","mimeType":"text/plain","text":"y"}])"));
    client.request("3", "resources/read", R"({"uri":"test://x"})");
    CHECK(has(client.finish(3, NotFound{"test://x", "list the things"}),
              R"("code":-32002,"message":"there is no resource test://x: list the things")"));
    client.stateless("4", "resources/read", R"("uri":"test://x",)");
    CHECK(has(client.finish(4, NotFound{"test://x"}), R"("code":-32602)"));
    client.request(
        "5", "completion/complete",
        R"({"ref":{"type":"ref/resource","uri":"test://things/{id}"},"argument":{"name":"id","value":"a"}})");
    CHECK(std::get<Complete>(client.started.at(4).what).value == "a");
    CHECK(has(client.finish(5, Completion{std::vector<std::string>(101, "a")}),
              R"("total":101,"hasMore":true)"));
}

TEST_CASE("lists come in pages, and a cursor that is not the server's is refused") {
    Offer offer = small_offer();
    offer.page = 1;
    Client client(std::move(offer));
    client.initialize();
    std::string first = client.request("1", "tools/list");
    CHECK(has(first, R"("name":"look")"));
    CHECK_FALSE(has(first, R"("name":"wait")"));
    CHECK(has(first, R"("nextCursor":"1")"));
    std::string second = client.request("2", "tools/list", R"({"cursor":"1"})");
    CHECK(has(second, R"("name":"wait")"));
    CHECK_FALSE(has(second, "nextCursor"));
    for (std::string_view cursor : {"\"\"", "\"-1\"", "\"0\"", "\"x\"", "\"1 \"", "1"})
        CHECK(has(client.request("3", "tools/list", base::concat("{\"cursor\":", cursor, "}")), "-32602"));
    CHECK(has(client.request("4", "tools/list", R"({"cursor":"7"})"), R"("tools":[]})"));
    client.request("5", "resources/list", R"({"cursor":"1"})");
    ResourceList list;
    list.resources.resize(3);
    list.resources[1].uri = "test://b";
    CHECK(has(client.finish(1, list), R"("resources":[{"uri":"test://b","name":""}],"nextCursor":"2")"));
}

TEST_CASE("calls are open side by side, and answered in any order") {
    Client client;
    client.initialize();
    call(client, "1");
    call(client, "\"1\"");
    CHECK(has(call(client, "1"), R"("id":1,"error":{"code":-32600)"));
    CHECK(has(client.finish(2, ToolResult{"{}", {}}), R"("id":"1")"));
    CHECK(has(client.finish(1, ToolResult{"{}", {}}), R"("id":1,"result")"));
    CHECK(call(client, "1").empty());
}

TEST_CASE("a cancelled call is not answered, and its outcome is unheard") {
    Client client;
    client.initialize();
    call(client, "1");
    CHECK(client.cancel("1").empty());
    CHECK(client.cancelled == std::vector<CallId>{1});
    CHECK(client.finish(1, ToolResult{"{}", {}}).empty());
    CHECK(client.unheard_of == std::vector<CallId>{1});
    CHECK(client.cancel("1").empty());
    CHECK(client.cancelled.size() == 1);
}

TEST_CASE("an answered call that is cancelled is unheard, once") {
    Client client;
    client.initialize();
    call(client, "1");
    client.finish(1, ToolResult{"{}", {}});
    client.cancel("1");
    client.cancel("1");
    CHECK(client.cancelled.empty());
    CHECK(client.unheard_of == std::vector<CallId>{1});
    client.cancel("null");
    client.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
    client.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":[]})");
    CHECK(client.unheard_of.size() == 1);
}

TEST_CASE("progress goes to those who want it, as long as it grows") {
    Client client;
    client.initialize();
    call(client, "1");
    CHECK_FALSE(client.machine.wants_progress(1));
    CHECK(client.take(client.machine.progressed(1, 1, 0, "x")).empty());
    call(client, "2", R"(,"_meta":{"progressToken":"p"})");
    CHECK(client.machine.wants_progress(2));
    CHECK(
        client.take(client.machine.progressed(2, 1, 4, "x")) ==
        R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":4,"message":"x"}})");
    CHECK(client.take(client.machine.progressed(2, 1, 4, "x")).empty());
    CHECK(has(client.take(client.machine.progressed(2, 1.5, 0, "y")), R"("progress":1.5,"message":"y")"));
    client.finish(2, ToolResult{"{}", {}});
    CHECK(client.take(client.machine.progressed(2, 2, 4, "x")).empty());
}

TEST_CASE("too many open calls are refused, and places become free again") {
    Client client;
    client.initialize();
    for (std::size_t i = 1; i <= Machine::most_calls; ++i)
        CHECK(call(client, base::concat(i)).empty());
    CHECK(has(call(client, "\"x\""), "-32603"));
    client.cancel("1");
    CHECK(call(client, "\"x\"").empty());
}
