#include "pool_tools/ledger.hpp"

#include <catch2/catch.hpp>

#include <string>

using pool_tools::McpLedger;

namespace {

std::string end_of(const McpLedger& ledger, const std::string& id) {
    auto outcome = ledger.end_of(id);
    const auto* result = std::get_if<mcp::ToolResult>(&outcome);
    return result ? result->object : std::get<mcp::ToolFailure>(outcome).message;
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

}  // namespace

TEST_CASE("a task whose call was cancelled goes back, unless the client has used it") {
    McpLedger ledger;
    ledger.given(1, "a");
    ledger.given(2, "b");
    ledger.used("b");
    ledger.used("c");
    CHECK(ledger.unheard(1) == "a");
    CHECK_FALSE(ledger.unheard(2));
    CHECK_FALSE(ledger.unheard(3));
    CHECK(ledger.held() == std::vector<std::string>{"b"});
    CHECK(has(end_of(ledger, "a"), "another agent gets it"));
    CHECK(ledger.client_ended() == std::vector<std::string>{"b"});
}

TEST_CASE("the client is told of tasks that it has not named, until it was told or names them") {
    using Ids = std::vector<std::string>;
    McpLedger ledger;
    CHECK_FALSE(ledger.has_to_tell());
    ledger.given(1, "a");
    ledger.given(2, "b");
    CHECK(ledger.has_to_tell());
    CHECK(ledger.tell_unnamed(2) == Ids{"a"});  // call 2 gives b
    CHECK(ledger.has_to_tell());
    CHECK(ledger.tell_unnamed(3) == Ids{"a", "b"});
    CHECK_FALSE(ledger.has_to_tell());
    ledger.used("b");
    CHECK(ledger.tell_unnamed(4) == Ids{"a"});
    CHECK_FALSE(ledger.unheard(4));
    CHECK(ledger.has_to_tell());
    CHECK(ledger.tell_unnamed(5) == Ids{"a"});
    CHECK(ledger.finished("a"));
    CHECK(ledger.tell_unnamed(6).empty());
    CHECK_FALSE(ledger.has_to_tell());
}

TEST_CASE("of many tasks, one outcome tells of the oldest") {
    McpLedger ledger;
    for (mcp::CallId call = 1; call <= 2 * McpLedger::most_told; ++call)
        ledger.given(call, std::to_string(call));
    auto told = ledger.tell_unnamed(0);
    CHECK(told.size() == McpLedger::most_told);
    CHECK(told.front() == "1");
    CHECK_FALSE(ledger.has_to_tell());
}

TEST_CASE("a task ends once, and the ledger says how") {
    McpLedger ledger;
    ledger.given(1, "a");
    CHECK(ledger.finished("a"));
    CHECK_FALSE(ledger.given_back("a"));
    CHECK_FALSE(ledger.taken_away("a", "its time was over"));
    CHECK_FALSE(ledger.unheard(1));
    CHECK(has(end_of(ledger, "a"), R"("kind":"Finished")"));
    CHECK(has(end_of(ledger, "b"), "You have no task"));
}
