#include "pool_protocol/answer.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;

namespace {

Answer parsed(std::string_view text) {
    auto answered = parse_answer(text);
    REQUIRE(answered.has_value());
    return answered->answer;
}

}  // namespace

TEST_CASE("answers have the documented form") {
    CHECK(to_json(Processed{"[]\n"}) == R"({"kind":"Processed","stdout":"[]\n"})");
    CHECK(to_json(TimedOut{}) == R"({"kind":"NotProcessed","reason":"timeout"})");
    CHECK(to_json(Stopped{}, "r1") == R"({"id":"r1","kind":"NotProcessed","reason":"stopped"})");
    CHECK(to_json(Invalid{"no"}) == R"({"kind":"NotProcessed","reason":"invalid","message":"no"})");
    CHECK(
        to_json(AgentFailed{"a", "no key", 7, {}}, "r1") ==
        R"({"id":"r1","agent":"a","kind":"NotProcessed","reason":"agent_failed","message":"no key","exit_code":7})");
    CHECK(to_json(AgentFailed{"", "no key", {}, 9}) ==
          R"({"kind":"NotProcessed","reason":"agent_failed","message":"no key","signal":9})");
    CHECK(to_json(AgentsLost{"three died"}) ==
          R"({"kind":"NotProcessed","reason":"agent_lost","message":"three died"})");
}

TEST_CASE("an answer contains the agent and the last error only if they are known") {
    CHECK(to_json(Processed{"[]", "a\"1"}, "r1") ==
          R"({"id":"r1","agent":"a\"1","kind":"Processed","stdout":"[]"})");
    CHECK(to_json(Processed{"[]"}, "r1") == R"({"id":"r1","kind":"Processed","stdout":"[]"})");
    CHECK(to_json(TimedOut{"a", "no \"key\""}, "r1") ==
          R"({"id":"r1","agent":"a","kind":"NotProcessed","reason":"timeout","message":"no \"key\""})");
    CHECK(to_json(TimedOut{}, "r1") == R"({"id":"r1","kind":"NotProcessed","reason":"timeout"})");
}

TEST_CASE("an answer contains the agent's report, and the name of its failure") {
    AgentReport report{.kind = "claude", .turns = 7};
    CHECK(
        to_json(Processed{"[]", "a", report}, "r1") ==
        R"({"id":"r1","agent":"a","report":{"kind":"claude","repairs":0,"turns":7,"input_tokens":0,"cached_tokens":0,"output_tokens":0},"kind":"Processed","stdout":"[]"})");
    CHECK(
        to_json(AgentFailed{"a", "m", {}, {}, "too_large", true}) ==
        R"({"agent":"a","kind":"NotProcessed","reason":"agent_failed","message":"m","failure":"too_large","permanent":true})");
    CHECK(to_json(AgentFailed{"", "m", {}, {}, "refusal", false}) ==
          R"({"kind":"NotProcessed","reason":"agent_failed","message":"m","failure":"refusal"})");
}

TEST_CASE("an answer is read without a report or a failure's name that cannot be") {
    CHECK(parsed(R"({"kind":"Processed","stdout":"[]","report":{"kind":7}})") == Answer(Processed{"[]"}));
    CHECK(
        parsed(
            R"({"kind":"NotProcessed","reason":"agent_failed","message":"m","failure":"a b","report":1})") ==
        Answer(AgentFailed{"", "m"}));
}

TEST_CASE("without the agent, an answer keeps everything else") {
    auto without_agent = [](Answer answer) {
        leave_out_agent(answer);
        return answer;
    };
    CHECK(without_agent(Processed{"[]", "a"}) == Answer(Processed{"[]"}));
    AgentReport report{.kind = "claude"};
    CHECK(without_agent(Processed{"[]", "a", report}) == Answer(Processed{"[]"}));
    CHECK(without_agent(AgentFailed{"a", "m", {}, {}, "refusal", true, report}) ==
          Answer(AgentFailed{"", "m", {}, {}, "refusal", true}));
    CHECK(without_agent(TimedOut{"a", "no key"}) == Answer(TimedOut{}));
    CHECK(without_agent(AgentFailed{"a", "no key", 7, {}}) == Answer(AgentFailed{"", "no key", 7, {}}));
    for (const Answer& answer : {Answer(Stopped{}), Answer(Invalid{"no"}), Answer(AgentsLost{"three died"})})
        CHECK(without_agent(answer) == answer);
}

TEST_CASE("an answer is parsed from its own text without a change") {
    for (const Answer& answer :
         {Answer(Processed{"[{\"kind\":\"A\"}]", "a"}), Answer(Processed{""}), Answer(TimedOut{}),
          Answer(TimedOut{"a", "no key"}), Answer(Stopped{}), Answer(Invalid{"byte 3"}),
          Answer(AgentFailed{"a", "no key", {}, {}}), Answer(AgentFailed{"a", "no key", 7, {}}),
          Answer(AgentFailed{"a", "no key", {}, 9}), Answer(Processed{"[]", "a", AgentReport{.kind = "acp"}}),
          Answer(AgentFailed{"a", "m", {}, {}, "too_large", true, AgentReport{.kind = "acp", .usd = 0.1}}),
          Answer(AgentsLost{"three died"})}) {
        std::string text = to_json(answer, "r1");
        INFO(text);
        CHECK(parsed(text) == answer);
        CHECK(parse_answer(text)->id == "r1");
        CHECK_FALSE(parse_answer(to_json(answer))->id);
    }
}

TEST_CASE("an answer with an unknown reason is invalid, with whatever message there is") {
    CHECK(parsed(R"({"kind":"NotProcessed","reason":"new","message":"m"})") == Answer(Invalid{"m"}));
    CHECK(parsed(R"({"kind":"NotProcessed","reason":"new"})") == Answer(Invalid{"new"}));
    CHECK(parsed(R"({"kind":"NotProcessed"})") == Answer(Invalid{"no reason given"}));
}

TEST_CASE("a text that is no answer is refused") {
    for (const char* text : {"{}", "nonsense", "[]", R"({"kind":"Processed"})", R"({"kind":"Other"})"})
        CHECK(parse_answer(text).has_error());
}

TEST_CASE("an answer without a response tells what its agents have used") {
    AgentReport report;
    report.kind = "claude";
    report.input_tokens = 7;
    for (const Answer& answer :
         {Answer(TimedOut{"a", "no key", report}), Answer(AgentsLost{"3 died", report})}) {
        auto read = parse_answer(to_json(answer));
        REQUIRE(read.has_value());
        CHECK(read->answer == answer);
    }
}

TEST_CASE("the numbers of several agents are added up") {
    AgentReport first, last;
    first.kind = "claude";
    first.input_tokens = 100;
    first.turns = 2;
    first.usd = 0.5;
    last.kind = "codex";
    last.input_tokens = 10;
    last.turns = 1;
    add_earlier(last, first);
    CHECK(last.kind == "codex");
    CHECK(last.input_tokens == 110);
    CHECK(last.turns == 3);
    CHECK(last.usd == 0.5);
    CHECK(parse_report(to_json(last)) == last);
    CHECK(to_json(last).find("\"agents\":2") != std::string::npos);
    CHECK(to_json(first).find("agents") == std::string::npos);
}
