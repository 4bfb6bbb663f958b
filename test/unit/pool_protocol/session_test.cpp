#include "pool_protocol/session.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;

TEST_CASE("a session's greeting comes out of its text as it went in") {
    CHECK(session_greeting("s-1") == R"({"kind":"Session","session":"s-1"})");
    CHECK(parse_session_greeting(session_greeting("s-1")) == "s-1");
    CHECK(parse_session_greeting(R"({"kind":"Session","more":1,"session":"s-1"})") == "s-1");
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

TEST_CASE("no message of a session reads as another") {
    std::string greeting = session_greeting("s-1");
    std::string release = to_json(AgentRelease{"a-1", {}});
    std::string kick = to_json(AgentKick{"a-1", KickReason::timeout});
    for (const std::string& frame : {greeting, release, kick, host_request()}) {
        CHECK(parse_session_greeting(frame).has_value() == (frame == greeting));
        CHECK(parse_agent_release(frame).has_value() == (frame == release));
        CHECK(parse_agent_kick(frame).has_value() == (frame == kick));
        CHECK(is_host_request(frame) == (frame == host_request()));
    }
}
