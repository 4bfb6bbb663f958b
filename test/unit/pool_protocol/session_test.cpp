#include "pool_protocol/session.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;

TEST_CASE("a session's greeting comes out of its text as it went in") {
    CHECK(to_json(SessionGreeting{"s-1"}) == R"({"kind":"Session","session":"s-1"})");
    CHECK(to_json(SessionGreeting{"s-1", true}) == R"({"kind":"Session","session":"s-1","activity":true})");
    for (const SessionGreeting& greeting : {SessionGreeting{"s-1"}, SessionGreeting{"s-1", true}})
        CHECK(parse_session_greeting(to_json(greeting)) == greeting);
    CHECK(parse_session_greeting(R"({"kind":"Session","more":1,"session":"s-1","activity":"yes"})") ==
          SessionGreeting{"s-1"});
}

TEST_CASE("a greeting without a usable id is none") {
    for (const char* frame : {R"({"kind":"Session"})", R"({"kind":"Session","session":7})",
                              R"({"kind":"Session","session":""})", R"({"kind":"Session","session":"../x"})",
                              R"({"kind":"Session","session":"s")", R"({"kind":"Status"})", "", "[]"})
        CHECK_FALSE(parse_session_greeting(frame));
}

TEST_CASE("a release comes out of its text as it went in") {
    AgentRelease release{"a-1", {Release::Reason::failed, "no \"key\"", 7, {}}};
    CHECK(to_json(release) ==
          R"({"kind":"Release","agent":"a-1","reason":"failed","message":"no \"key\"","exit_code":7})");
    auto parsed = parse_agent_release(to_json(release));
    REQUIRE(parsed);
    CHECK(parsed->agent == "a-1");
    CHECK(parsed->release.reason == Release::Reason::failed);
    CHECK(parsed->release.message == "no \"key\"");
    CHECK(parsed->release.exit_code == 7);
    CHECK_FALSE(parsed->release.signal);
    release.release = {Release::Reason::failed, "", {}, 9};
    CHECK(parse_agent_release(to_json(release))->release.signal == 9);
}

TEST_CASE("a release keeps the failure's name, whether it is permanent, and the report") {
    AgentRelease release{"a-1",
                         {Release::Reason::failed, "m", {}, {}, "refusal", true, AgentReport{.kind = "acp"}}};
    auto parsed = parse_agent_release(to_json(release));
    REQUIRE(parsed);
    CHECK(parsed->release == release.release);
}

TEST_CASE("a release without an agent is none, one of an unknown kind hands back") {
    CHECK_FALSE(parse_agent_release(R"({"kind":"Release","reason":"failed"})"));
    CHECK_FALSE(parse_agent_release(R"({"kind":"Release","agent":"a/b"})"));
    CHECK(parse_agent_release(R"({"kind":"Release","agent":"a","reason":"new"})")->release.reason ==
          Release::Reason::handed_back);
}

TEST_CASE("a kick comes out of its text as it went in") {
    CHECK(to_json(AgentKick{"a-1", KickReason::withdrawn}) ==
          R"({"kind":"Kicked","agent":"a-1","reason":"Withdrawn"})");
    auto parsed = parse_agent_kick(to_json(AgentKick{"a-1", KickReason::stopped}));
    REQUIRE(parsed);
    CHECK(parsed->agent == "a-1");
    CHECK(parsed->reason == KickReason::stopped);
    CHECK(parse_agent_kick(R"({"kind":"Kicked","agent":"a-1"})")->reason == KickReason::timeout);
    std::string unknown = R"({"kind":"Kicked","agent":"a-1","reason":"\"New\""})";
    CHECK(to_json(*parse_agent_kick(unknown)) == unknown);
    CHECK_FALSE(parse_agent_kick(R"({"kind":"Kicked","reason":"Timeout"})"));
}

TEST_CASE("what an agent does comes out of its text as it went in") {
    ActivityNotice notice{"a-1", {"Edit \"a\"", 7, 12'000, 9'000, 800, 0.31}};
    CHECK(to_json(notice) ==
          R"({"kind":"Activity","agent":"a-1","activity":{"text":"Edit \"a\"","turn":7,"input_tokens":12000,)"
          R"("cached_tokens":9000,"output_tokens":800,"usd":0.31}})");
    auto parsed = parse_activity_notice(to_json(notice));
    REQUIRE(parsed);
    CHECK(parsed->agent == "a-1");
    CHECK(parsed->activity == notice.activity);
}

TEST_CASE("a hostile activity is none") {
    for (const char* frame :
         {R"({"kind":"Activity","agent":"a-1"})", R"({"kind":"Activity","agent":"a-1","activity":null})",
          R"({"kind":"Activity","agent":"../a","activity":{}})", R"({"kind":"Activity","activity":{}})",
          R"({"kind":"Activity","agent":"a-1","activity":{"turn":-1}})",
          R"({"kind":"Activity","agent":"a-1","activity":{"text":7}})"})
        CHECK_FALSE(parse_activity_notice(frame));
}

TEST_CASE("an agent that is away comes out of its text as it went in") {
    AgentAway parked{"claude-1", *base::Labels::of({"writer"}), "claude (/home/me/.claude)",
                     std::chrono::milliseconds(1'795'000'000'000), "limit reached"};
    CHECK(to_json(parked) ==
          R"x({"kind":"Away","name":"claude-1","labels":["writer"],"account":"claude (/home/me/.claude)",)x"
          R"("reason":"limit reached","until":1795000000000})");
    AgentAway resting{"codex", {}, "", std::chrono::milliseconds(1), ""};
    CHECK(to_json(resting) == R"({"kind":"Away","name":"codex","labels":[],"account":null,"until":1})");
    for (const AgentAway& away : {parked, resting})
        CHECK(parse_agent_away(to_json(away)) == away);
    CHECK(to_json(AgentBack{"claude-1"}) == R"({"kind":"Back","name":"claude-1"})");
    CHECK(parse_agent_back(to_json(AgentBack{"claude-1"}))->name == "claude-1");
}

TEST_CASE("a hostile absence is none, and a long text is cut when it is written") {
    std::string text(1000, 'x');
    for (const std::string& members :
         {std::string(R"("until":1)"), std::string(R"("name":"","until":1)"), std::string(R"("name":"a")"),
          std::string(R"("name":"a","until":-1)"), std::string(R"("name":"a","until":1e300)"),
          std::string(R"("name":"a","until":1,"labels":["a b"])"), std::string(R"("name":7,"until":1)"),
          R"("name":"a","until":1,"reason":")" + text + "\""}) {
        INFO(members);
        CHECK_FALSE(parse_agent_away(R"({"kind":"Away",)" + members + "}"));
    }
    AgentAway long_one{text, {}, text, std::chrono::milliseconds(1), text};
    auto parsed = parse_agent_away(to_json(long_one));
    REQUIRE(parsed);
    CHECK(parsed->reason == std::string(200, 'x'));
    CHECK(parsed->name == parse_agent_back(to_json(AgentBack{text}))->name);
    CHECK(parse_agent_away(R"({"kind":"Away","name":"a\nb","until":1})")->name == "a b");
    CHECK(parse_agent_back(R"({"kind":"Back","name":"a\nb"})")->name == "a b");
}

TEST_CASE("no message of a session reads as another") {
    std::string greeting = to_json(SessionGreeting{"s-1", true});
    std::string activity = to_json(ActivityNotice{"a-1", {}});
    std::string away = to_json(AgentAway{"claude-1"});
    std::string back = to_json(AgentBack{"claude-1"});
    std::string release = to_json(AgentRelease{"a-1", {}});
    std::string kick = to_json(AgentKick{"a-1", KickReason::timeout});
    for (const std::string& frame : {greeting, release, kick, activity, away, back, host_request()}) {
        CHECK(parse_session_greeting(frame).has_value() == (frame == greeting));
        CHECK(parse_agent_release(frame).has_value() == (frame == release));
        CHECK(parse_agent_kick(frame).has_value() == (frame == kick));
        CHECK(parse_activity_notice(frame).has_value() == (frame == activity));
        CHECK(parse_agent_away(frame).has_value() == (frame == away));
        CHECK(parse_agent_back(frame).has_value() == (frame == back));
        CHECK(is_host_request(frame) == (frame == host_request()));
    }
}
