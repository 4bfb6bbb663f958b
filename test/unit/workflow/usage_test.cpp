#include "workflow/usage.hpp"

#include <catch2/catch.hpp>

using namespace workflow;
using pool_protocol::AgentReport;

namespace {

AgentReport report(std::string model, std::optional<double> usd) {
    return {"claude", std::move(model), "", 2, 7, 12'000, 9'000, 800, usd};
}

}  // namespace

TEST_CASE("reports are summed by step, program and model") {
    UsageTable table;
    CHECK(table.empty());
    table.add({0}, report("opus", 0.25));
    table.add({0}, report("opus", 0.5));
    table.add({0}, report("haiku", std::nullopt));
    table.add({1}, report("opus", 1));
    CHECK(table.rows().size() == 3);
    CHECK(table.rows().at({{0}, "claude", "opus"}) == Usage{2, 4, 14, 24'000, 18'000, 1'600, 2, 0.75});
    CHECK(table.of({0}) == Usage{3, 6, 21, 36'000, 27'000, 2'400, 2, 0.75});
    CHECK(table.of({2}) == Usage{});
    CHECK(table.total() == Usage{4, 8, 28, 48'000, 36'000, 3'200, 3, 1.75});
}

TEST_CASE("a table of reports stays small, however many models there are, and loses nothing") {
    UsageTable table;
    for (std::size_t i = 0; i < 2 * UsageTable::max_rows; ++i)
        table.add({i % 2 == 0 ? 0U : 1U}, report(std::to_string(i), 1));
    CHECK(table.rows().size() == UsageTable::max_rows + 2);
    CHECK(table.total().reports == 2 * UsageTable::max_rows);
    CHECK(table.of({1}).reports == UsageTable::max_rows);
}

TEST_CASE("a cost says what is not known") {
    CHECK(cost_text(usage_of(report("", 0.31))) == "$0.31");
    CHECK(cost_text(usage_of(report("", 0.0021))) == "$0.0021");
    CHECK(cost_text(usage_of(report("", 0))) == "$0.00");
    CHECK(cost_text(usage_of(report("", std::nullopt))) == "-");
    pool_protocol::AgentReport listed = report("", 2);
    listed.price_list = "2026-08-21";
    CHECK(cost_text(usage_of(listed)) == "about $2.00");
    Usage sum = usage_of(listed);
    sum += usage_of(report("", 1));
    listed.price_list = "2026-03-01";
    sum += usage_of(listed);
    CHECK(cost_text(sum) == "about $5.00");
    CHECK(sum.price_list == "2026-03-01");
    Usage both = usage_of(report("", 2));
    both += usage_of(report("", std::nullopt));
    CHECK(cost_text(both) == "at least $2.00");
}
