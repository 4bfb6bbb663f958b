#include "pool_protocol/names.hpp"

#include "pool_protocol/pool_directory.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace pool_protocol;

TEST_CASE("a pool id has 1 to 64 letters, digits, underscores and dashes") {
    CHECK(is_pool_id("default"));
    CHECK(is_pool_id("A-b_9"));
    CHECK(is_pool_id(std::string(64, 'x')));
    CHECK_FALSE(is_pool_id(""));
    CHECK_FALSE(is_pool_id(std::string(65, 'x')));
    CHECK_FALSE(is_pool_id("-x"));
    CHECK_FALSE(is_pool_id("a.b"));
    CHECK_FALSE(is_pool_id("../x"));
    CHECK_FALSE(is_pool_id("a/b"));
}

TEST_CASE("file names are taken apart and put together again") {
    for (FileKind kind : {FileKind::ready, FileKind::task, FileKind::request, FileKind::response}) {
        auto name = file_name("550e8400-e29b", kind);
        auto parsed = parse_file_name(name);
        REQUIRE(parsed);
        CHECK(parsed->id == "550e8400-e29b");
        CHECK(parsed->kind == kind);
    }
    CHECK(std::string_view(file_name("x", FileKind::request)) == "x.request.json");
}

TEST_CASE("names that are not of the protocol are nobody's") {
    for (std::string name : {std::string("x.json"), std::string(".ready.json"), std::string("..ready.json"),
                             std::string("a b.ready.json"), std::string("x.ready.json.tmp"),
                             std::string(201, 'x') + ".task.json", std::string("\xff.task.json")})
        CHECK_FALSE(parse_file_name(name));
    CHECK(parse_file_name(std::string(200, 'x') + ".task.json"));
}

TEST_CASE("the root is the option, else TROUPE_ROOT, else AGENT_POOL_ROOT, else /tmp/troupe") {
    ::unsetenv("TROUPE_ROOT");
    ::unsetenv("AGENT_POOL_ROOT");
    CHECK(locate("", "")->path == "/tmp/troupe/pools/default");
    ::setenv("AGENT_POOL_ROOT", "/older", 1);
    CHECK(locate("", "p")->path == "/older/pools/p");
    ::setenv("TROUPE_ROOT", "/newer/", 1);
    CHECK(locate("", "p")->path == "/newer/pools/p");
    CHECK(locate("/opt/./x//y/", "p")->path == "/opt/x/y/pools/p");
    CHECK(locate("relative", "p")->path.front() == '/');
    ::unsetenv("TROUPE_ROOT");
    ::unsetenv("AGENT_POOL_ROOT");
}

TEST_CASE("options_of_a_pool_lead_to_it_from_any_shell") {
    CHECK(options_of(*locate("/opt/x", "p")) == "--root /opt/x --pool p");
    CHECK(options_of(*locate("/it's mine", "")) == "--root '/it'\\''s mine' --pool default");
}

TEST_CASE("a bad pool id is an error that says what a good one is") {
    auto located = locate("", "../x");
    REQUIRE(located.has_error());
    CHECK(located.error().message.find("'../x' is no pool id") != std::string::npos);
}
