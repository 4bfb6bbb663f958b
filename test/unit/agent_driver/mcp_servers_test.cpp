// Files with servers of tools.
#include "agent_driver/mcp_servers.hpp"

#include "agent_driver/conversation.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace agent_driver;

std::string file_problem(const std::string& text) {
    auto servers = parse_mcp_servers(text);
    return servers ? "" : servers.error().message;
}

std::string of_one(const std::string& members) {
    return file_problem(R"({"mcpServers":{"s":{)" + members + "}}}");
}

McpServer one(const std::string& members) {
    return parse_mcp_servers(R"({"mcpServers":{"s":{)" + members + "}}}").value().front();
}

std::optional<std::string> value_of(const std::string& name) {
    if (name == "A") return "a${B}";
    if (name == "EMPTY") return "";
    return std::nullopt;
}

std::string filled(const std::string& text) {
    std::vector<McpServer> servers(1);
    servers.front().url = text;
    auto done = fill_in_variables(servers, value_of);
    return done ? servers.front().url : done.error().message;
}

}  // namespace

TEST_CASE("a file of servers: programs, and servers that run already") {
    auto servers = parse_mcp_servers(R"({"other": 1, "mcpServers": {
        "a-1": {"type": "stdio", "command": "npx", "args": ["-y", "x"], "env": {"K": "v"}},
        "b_2": {"type": "http", "url": "https://x/mcp", "headers": {"Authorization": "Bearer y"}}}})")
                       .value();
    REQUIRE(servers.size() == 2);
    CHECK(servers[0].name + servers[0].command + servers[0].arguments.at(1) == "a-1npxx");
    CHECK(servers[0].environment.at(0).name + servers[0].environment.at(0).value == "Kv");
    CHECK(servers[1].name + servers[1].url + servers[1].headers.at(0).value == "b_2https://x/mcpBearer y");
}

TEST_CASE("what is wrong with a file of servers is told") {
    CHECK_THAT(file_problem("{"), Catch::StartsWith("line 1, column 2: "));
    for (const char* text : {"[]", "{}", R"({"mcpServers":[]})"})
        CHECK_THAT(file_problem(text),
                   Catch::StartsWith("it must be an object with the member \"mcpServers\""));
    CHECK(file_problem(R"({"mcpServers":{}})") == "it has no server in \"mcpServers\"");
    CHECK(file_problem(R"({"mcpServers":{"s":{"url":"x"},"s":{"url":"x"}}})") ==
          "it has the server \"s\" twice");
    CHECK(file_problem(R"({"mcpServers":{"a.b":{}}})") ==
          "the name of a server has letters, digits, '-' and '_' only, unlike \"a.b\"");
    CHECK(file_problem(R"({"mcpServers":{"s":1}})") == "the server \"s\": it must be an object");
    for (const char* members : {"", R"("command":"a","url":"b")"})
        CHECK(of_one(members) == "the server \"s\": it must have either command or url");
    CHECK(of_one(R"("command":["a"])") == "the server \"s\": command must be a string");
    CHECK(of_one(R"("command":"a","args":"b")") == "the server \"s\": args must be an array of strings");
    CHECK(of_one(R"("command":"a","args":["b",1,"c"])") ==
          "the server \"s\": args must be an array of strings");
    CHECK(of_one(R"("command":"a","env":{"b":1})") == "the server \"s\": env must be an object of strings");
    CHECK_THAT(of_one(R"("url":"a","type":"sse")"), Catch::Contains("type must be \"stdio\""));
    CHECK(of_one(R"("url":"a","haeders":{})") ==
          "the server \"s\": unknown member \"haeders\"; did you mean \"headers\"?");
}

TEST_CASE("variables in a file of servers") {
    CHECK(filled("no $A {A}") == "no $A {A}");
    CHECK(filled("x${A}y${EMPTY}z${A}") == "xa${B}yza${B}");
    CHECK(filled("${C:-pre:-set}${A:-no}${EMPTY:-no}${C:-}") == "pre:-seta${B}");
    CHECK_THAT(filled("${C}"), Catch::Contains("it needs the variable C, which the program would not have"));
    CHECK_THAT(filled("${C"), Catch::Contains("the variable C,"));
}

TEST_CASE("a command of a file of servers is no path of the task's directory") {
    std::vector<McpServer> servers{one(R"("command":"${A}/b")")};
    auto done = fill_in_variables(servers, [](const std::string& name) { return std::optional(name); });
    CHECK_THAT(done.error().message, Catch::Contains("its command A/b would be looked up in the directory"));
    servers = {one(R"("command":"${A}/b")")};
    done = fill_in_variables(servers, [](const std::string&) { return std::optional<std::string>("/a"); });
    CHECK(done.has_value());
}

TEST_CASE("claude reads the file of servers itself, and may use their tools") {
    Settings settings = replay::settings(AgentKind::claude);
    settings.mcp = "/m.json";
    settings.allow_tools = {"Skill"};
    Surroundings surroundings;
    surroundings.mcp_servers = {one(R"("command":"c")")};
    auto words = Conversation(settings, replay::prompt(), surroundings).launch({}).arguments;
    const std::vector<std::string> part{"--mcp-config", "/m.json", "--allowedTools",
                                        "Skill",        "mcp__s",  "--tools"};
    CHECK(std::ranges::search(words, part).begin() != words.end());
}

TEST_CASE("codex is told of the servers on its stdin") {
    Surroundings surroundings;
    surroundings.mcp_servers = {one(R"("command":"c","args":["\"x"],"env":{"K":"v"})")};
    auto lines = [&] {
        return Conversation(replay::settings(AgentKind::codex), replay::prompt(), surroundings)
            .launch({})
            .lines;
    };
    CHECK_THAT(
        lines().back(),
        Catch::Contains(R"("config":{"mcp_servers":{"s":{"command":"c","args":["\"x"],"env":{"K":"v"},)"
                        R"("default_tools_approval_mode":"approve"}}})"));
    surroundings.mcp_servers = {one(R"("url":"u","headers":{"H":"v"})")};
    CHECK_THAT(lines().back(), Catch::Contains(R"({"s":{"url":"u","http_headers":{"H":"v"},"default)"));
    surroundings.mcp_servers = {};
    CHECK_THAT(lines().back(), !Catch::Contains("mcp_servers"));
}
