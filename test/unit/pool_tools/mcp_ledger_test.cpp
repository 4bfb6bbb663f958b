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
