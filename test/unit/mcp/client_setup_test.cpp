#include "mcp/client_setup.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <catch2/catch.hpp>

using namespace mcp;

namespace {

const ServerCommand server{"troupe", "/usr/bin/troupe", {"mcp", "--pool", "a \"b\""}};

std::string added(ClientKind client, std::string_view text) {
    auto result = with_server(client, server, text, "FILE");
    return result.has_value() ? *result : "error: " + result.error().message;
}

}  // namespace

TEST_CASE("an empty file gets the server alone") {
    CHECK(added(ClientKind::claude, " \n") == R"({
  "mcpServers": {
    "troupe": {
      "command": "/usr/bin/troupe",
      "args": ["mcp", "--pool", "a \"b\""]
    }
  }
}
)");
    CHECK(added(ClientKind::codex, "") == R"([mcp_servers.troupe]
command = "/usr/bin/troupe"
args = ["mcp", "--pool", "a \"b\""]
tool_timeout_sec = 60
default_tools_approval_mode = "approve"
)");
    CHECK(added(ClientKind::vscode, "").find(R"("type": "stdio")") != std::string::npos);
}

TEST_CASE("what else is in a file stays as it was") {
    auto [before, after] = GENERATE(table<std::string, std::string>(
        {{"{}", "{\n  \"mcpServers\": {\n    \"troupe\": X\n  }\n}"},
         {"{ // mine\n  \"a\": 1.0,\n}",
          "{\n  \"mcpServers\": {\n    \"troupe\": X\n  }, // mine\n  \"a\": 1.0,\n}"},
         {"{\n  \"mcpServers\": {}\n}", "{\n  \"mcpServers\": {\n    \"troupe\": X\n  }\n}"},
         {"{\"mcpServers\": {\n    \"b\": {}\n  }, \"c\": 2}",
          "{\"mcpServers\": {\n    \"troupe\": X,\n    \"b\": {}\n  }, \"c\": 2}"}}));
    std::string text = added(ClientKind::cursor, before);
    CHECK_FALSE(json::check(text, json::Dialect::jsonc));
    std::size_t begin = text.find("{\n      \"command\"");
    std::size_t end = text.find('}', begin);
    REQUIRE(end != std::string::npos);
    CHECK(text.replace(begin, end - begin + 1, "X") == after);
}

TEST_CASE("a server is never there twice") {
    for (ClientKind client :
         {ClientKind::claude, ClientKind::codex, ClientKind::gemini, ClientKind::vscode}) {
        std::string once = added(client, "");
        CHECK(added(client, once) == once);
        ServerCommand other{"troupe", "/else", {}};
        CHECK(with_server(client, other, once, "FILE").error().message ==
              "FILE has another server \"troupe\" already; remove it there, or change it by hand");
        ServerCommand second{"second", "/else", {}};
        auto both = with_server(client, second, once, "FILE");
        REQUIRE(both.has_value());
        CHECK(added(client, *both) == *both);
    }
}

TEST_CASE("a file that the client could not read is not changed") {
    CHECK(added(ClientKind::gemini, "{").starts_with("error: FILE: line 1"));
    CHECK(added(ClientKind::gemini, "[]") == "error: FILE: it must be an object");
    CHECK(added(ClientKind::gemini, R"({"mcpServers":[]})") ==
          "error: FILE: \"mcpServers\" must be an object");
}

TEST_CASE("a command for all projects has no arguments for this directory") {
    ServerCommand here{"barnum", "/usr/bin/barnum", {"mcp"}, {"--allow-dir", "/a b"}};
    std::string in_directory = R"(["mcp", "--allow-dir", "/a b"])";
    CHECK(settings_of(ClientKind::claude, here).find("\"args\": " + in_directory) != std::string::npos);
    CHECK(settings_of(ClientKind::codex, here).find("args = " + in_directory) != std::string::npos);
    CHECK(other_ways(ClientKind::claude, here).ends_with("add --scope user barnum -- /usr/bin/barnum mcp\n"));
    CHECK(other_ways(ClientKind::codex, here)
              .ends_with("add barnum -- /usr/bin/barnum mcp --allow-dir '/a b'\n"));
    CHECK(
        other_ways(ClientKind::gemini, here).ends_with("barnum /usr/bin/barnum -- mcp --allow-dir '/a b'\n"));
}

TEST_CASE("the user is told what the client asks for first") {
    CHECK(what_follows(ClientKind::claude, server).find("asks once whether you approve") !=
          std::string::npos);
    CHECK(what_follows(ClientKind::gemini, server).find("only in folders that you trust") !=
          std::string::npos);
    CHECK(what_follows(ClientKind::codex, server).empty());
}
