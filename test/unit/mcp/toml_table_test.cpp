#include "mcp/toml_table.hpp"

#include "base/text.hpp"

#include <catch2/catch.hpp>

using mcp::TomlTable;
using mcp::with_table;

namespace {

const TomlTable table{"mcp_servers", "troupe", {R"(command = "x")", "args = [\"a\", \"b\"]", "n = 60"}};
const std::string section = "[mcp_servers.troupe]\ncommand = \"x\"\nargs = [\"a\", \"b\"]\nn = 60\n";

std::string added(const std::string& text) {
    auto result = with_table(table, text, "FILE");
    if (result.has_error()) return "error: " + result.error().message;
    return result->value_or("another");
}

}  // namespace

TEST_CASE("a table is appended to a text that does not have it") {
    CHECK(section_of(table) == section);
    CHECK(added("") == section);
    auto text =
        GENERATE(as<std::string>(), "model = \"m\" # mine\n", "# [mcp_servers.troupe]\n",
                 "a = \"\"\"\n[mcp_servers.troupe]\n\"\"\"\n", "[mcp_servers]\n", "[mcp_servers.troupe-b]\n",
                 "mcp_servers.a.command = \"x\"\n", "[other.mcp_servers.troupe]\n",
                 "[[list]]\n[mcp_servers . \"a\"]\r\n", "\xef\xbb\xbfx=1\n",
                 "a = [1, nan, -0.0, 1979-05-27T07:32:00Z, 'b']\n", "[\"mcp_servers.troupe\"]\n");
    CHECK(added(text) == base::concat(text, "\n", section));
}

TEST_CASE("a last line without an end gets one") {
    CHECK(added("a = 1 # end") == "a = 1 # end\n\n" + section);
}

TEST_CASE("a table is found however it is written") {
    auto text = GENERATE(
        as<std::string>(), "[mcp_servers.\"troupe\"]\ncommand='x'\nargs=['a','b',]\nn=0x3c\n",
        "[ mcp_servers . troupe ]\nn=60\nargs=[\n \"a\", # first\n \"\\u0062\"]\ncommand=\"\"\"x\"\"\"\n",
        "[\"mcp_servers\".'troupe']\r\ncommand=\"x\"\r\nargs=[\"a\",\"b\"]\r\nn=60\r\n[z]\n",
        "[mcp_servers]\ntroupe.command=\"x\"\ntroupe.args=[\"a\",\"b\"]\ntroupe.n=60\n",
        "mcp_servers = { troupe = { command = \"x\", args = [\"a\", \"b\"], n = 60 } }",
        "mcp_servers.troupe = { command = \"x\", args = [\"a\", \"b\"], n = 60 }\n");
    CHECK(added(text) == text);
    std::string other = text;
    other.replace(other.find('x', other.find("command")), 1, "y");
    CHECK(added(other) == "another");
}

TEST_CASE("a part of a table is another table") {
    auto text = GENERATE(as<std::string>(), "[mcp_servers.troupe]\n", "[mcp_servers.troupe.env]\nA = \"1\"\n",
                         "mcp_servers.troupe = 1\n", "[[mcp_servers.troupe]]\n");
    CHECK(added(text) == "another");
    CHECK(added(section + "more = 1\n") == "another");
}

TEST_CASE("what cannot be appended is to be added by hand") {
    std::string by_hand =
        "error: FILE: [mcp_servers.troupe] cannot be appended to it, because of how mcp_servers is "
        "written there; add to mcp_servers by hand:\n  troupe = { command = \"x\", args = [\"a\", "
        "\"b\"], n = 60 }";
    CHECK(added("mcp_servers = { a = { command = \"y\" } }\n") == by_hand);
    CHECK(added("mcp_servers = {}\n") == by_hand);
    CHECK(added("[[mcp_servers]]\na = 1\n") == "error: FILE: mcp_servers must be a table");
    CHECK(added("mcp_servers = 1\n") == "error: FILE: mcp_servers must be a table");
}

TEST_CASE("a text that is no TOML is refused with the place") {
    CHECK(added("x = 1\nmodel = \n") ==
          "error: FILE: line 2, column 1: this is not valid TOML (missing value after "
          "key-value separator '=')");
    CHECK(added("x = 1\n[[[\n")
              .starts_with("error: FILE: line 2, column 1: this is not valid TOML (an invalid key"));
    CHECK(added("a = 1\na = 2\n").starts_with("error: FILE: line 2, column "));
    CHECK(added(section + "\n" + section).starts_with("error: FILE: line 6, column 1: "));
    CHECK(added("a = 1\nb = '''\xff\n'''") == "error: FILE: line 2: this is not valid TOML (invalid UTF-8)");
}
