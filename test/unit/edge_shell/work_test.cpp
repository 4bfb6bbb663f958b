#include "edge_shell/work.hpp"

#include <catch2/catch.hpp>

using edge_shell::parse_body;
using edge_shell::to_body;
using edge_shell::Work;

TEST_CASE("a task travels with all that its agent's host needs") {
    Work work{R"({"text":"1.0","timeout_seconds":2.5})",
              R"({"type":"array"})",
              true,
              true,
              {*base::Labels::of({"gpu", "linux"}), -7}};
    auto read = parse_body(to_body(work));
    REQUIRE(read.has_value());
    CHECK(read->content == work.content);
    CHECK(read->schema == work.schema);
    CHECK(read->wants_failures);
    CHECK(read->wants_activity);
    CHECK(read->queue == work.queue);
    CHECK(edge_shell::timeout_of(*read) == std::chrono::milliseconds(2500));
}

TEST_CASE("a task without labels, schema and timeout has none") {
    auto read = parse_body(to_body({"[1]", "", false, false, {}}));
    REQUIRE(read.has_value());
    CHECK(read->content == "[1]");
    CHECK(read->schema.empty());
    CHECK_FALSE(read->wants_failures);
    CHECK_FALSE(read->wants_activity);
    CHECK(read->queue == edge::Queue{});
    CHECK_FALSE(edge_shell::timeout_of(*read));
}

TEST_CASE("what is no task, or names a file of another host, is an error") {
    for (const char* body : {"", "[]", "oops", R"({"kind":"Withdraw","id":"a"})", R"({"kind":"Inline"})",
                             R"({"kind":"FileReference","path":"/etc/passwd"})"})
        CHECK(parse_body(body).has_error());
}
