#include "pool_protocol/agent_report.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <string>

using namespace pool_protocol;

namespace {

AgentReport full() {
    return {"claude",           "opus \"4\"",         "5f3c", 2, 7, 12'000, 9'000, 800, 0.31, "2026-08-21",
            "Write a (claude)", "/tmp/a \"b\".ndjson"};
}

bool is_report(const std::string& text) {
    return parse_report(std::string_view(text)).has_value();
}

}  // namespace

TEST_CASE("a report has the documented form") {
    CHECK(
        to_json(full()) ==
        R"({"kind":"claude","model":"opus \"4\"","session":"5f3c","repairs":2,"turns":7,"input_tokens":12000,)"
        R"x("cached_tokens":9000,"output_tokens":800,"usd":0.31,"price_list":"2026-08-21","refused":"Write a (claude)",)x"
        R"("transcript":"/tmp/a \"b\".ndjson"})");
    CHECK(to_json(AgentReport{.kind = "acp"}) ==
          R"({"kind":"acp","repairs":0,"turns":0,"input_tokens":0,"cached_tokens":0,"output_tokens":0})");
}

TEST_CASE("a report is parsed from its own text without a change") {
    for (const AgentReport& report : {full(), AgentReport{.kind = "acp"}}) {
        CHECK(parse_report(std::string_view(to_json(report))) == report);
    }
    for (double usd : {0.0, 1e-9, 0.1 + 0.2, 1e9, 123456.789}) {
        AgentReport report{.kind = "claude", .usd = usd};
        INFO(to_json(report));
        CHECK(parse_report(std::string_view(to_json(report))) == report);
    }
}

TEST_CASE("what no report can contain is cut, so that the rest is readable") {
    AgentReport report{.kind = "claude", .model = std::string(199, 'm') + "é", .repairs = -1};
    report.output_tokens = std::numeric_limits<std::uint64_t>::max();
    report.usd = -1;
    auto parsed = parse_report(std::string_view(to_json(report)));
    REQUIRE(parsed);
    CHECK(parsed->model == std::string(199, 'm'));
    CHECK(parsed->repairs == 0);
    CHECK(parsed->output_tokens == 1'000'000'000'000);
    CHECK(parsed->usd == 0);
    report.usd = std::nan("");
    CHECK_FALSE(parse_report(std::string_view(to_json(report)))->usd);
}

TEST_CASE("the path of a transcript is never cut: one that is too long is left out") {
    AgentReport report{.kind = "claude", .transcript = "/" + std::string(AgentReport::max_path - 1, 'a')};
    CHECK(parse_report(std::string_view(to_json(report))) == report);
    report.transcript += 'a';
    CHECK(parse_report(std::string_view(to_json(report))) == AgentReport{.kind = "claude"});
    report.transcript = std::string(AgentReport::max_path, '\x01');  // the longest as JSON
    report.model = report.session = std::string(AgentReport::max_text, '\x01');
    CHECK(parse_report(std::string_view(to_json(report))) == report);
}

TEST_CASE("unknown members of a report are ignored, and null is as good as absent") {
    CHECK(parse_report(std::string_view(R"({"kind":"claude","usd":null,"model":null,"new":{}})")) ==
          AgentReport{.kind = "claude"});
}

TEST_CASE("a report with a member that cannot be is none") {
    CHECK(is_report(R"({"kind":"claude"})"));
    for (const char* text : {"{}",
                             "[]",
                             "\"claude\"",
                             "null",
                             "{",
                             R"({"kind":""})",
                             R"({"kind":1})",
                             R"({"kind":null})",
                             R"({"kind":"claude","model":1})",
                             R"({"kind":"claude","session":[]})",
                             R"({"kind":"claude","turns":"7"})",
                             R"({"kind":"claude","turns":1.5})",
                             R"({"kind":"claude","turns":-1})",
                             R"({"kind":"claude","turns":1000001})",
                             R"({"kind":"claude","repairs":1e3})",
                             R"({"kind":"claude","input_tokens":-1})",
                             R"({"kind":"claude","input_tokens":1000000000001})",
                             R"({"kind":"claude","output_tokens":99999999999999999999999})",
                             R"({"kind":"claude","usd":"1"})",
                             R"({"kind":"claude","usd":-0.1})",
                             R"({"kind":"claude","usd":1e400})",
                             R"({"kind":"claude","transcript":1})"}) {
        INFO(text);
        CHECK_FALSE(is_report(text));
    }
    CHECK(is_report("{\"kind\":\"" + std::string(AgentReport::max_text, 'a') + "\"}"));
    CHECK_FALSE(is_report("{\"kind\":\"" + std::string(AgentReport::max_text + 1, 'a') + "\"}"));
    CHECK_FALSE(is_report(R"({"kind":"claude","transcript":")" + std::string(AgentReport::max_path + 1, 'a') +
                          "\"}"));
}

TEST_CASE("a text that is too long is no report") {
    std::string end = R"({"kind":"claude"})";
    CHECK(is_report(std::string(longest_report - end.size(), ' ') + end));
    CHECK_FALSE(is_report(std::string(longest_report - end.size() + 1, ' ') + end));
}
