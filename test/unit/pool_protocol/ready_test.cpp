#include "pool_protocol/ready.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;
using Reason = Release::Reason;

namespace {

Ready with_release(Release release) {
    Ready ready;
    ready.release = std::move(release);
    return ready;
}

}  // namespace

TEST_CASE("a ready file may hold anything") {
    for (const char* text : {"", "[1]", "{", "null", R"({"name":7,"locked":"yes","session":[]})"}) {
        Ready ready = parse_ready(text);
        CHECK(ready.name.empty());
        CHECK_FALSE(ready.locked);
        CHECK(ready.session.empty());
        CHECK_FALSE(ready.release);
    }
    CHECK(parse_ready(R"({"name":"bob"})").name == "bob");
    CHECK_FALSE(parse_ready(R"({"name":"bob"})").locked);
}

TEST_CASE("a ready file without additions is the documented one") {
    CHECK(to_json(Ready{}) == "{}");
    Ready ready;
    ready.name = "b\"ob";
    CHECK(to_json(ready) == R"({"name":"b\"ob"})");
    ready.locked = true;
    CHECK(to_json(ready) == R"({"name":"b\"ob","locked":true})");
}

TEST_CASE("a ready file tells what its agent promises") {
    Ready ready;
    ready.name = "bob";
    ready.locked = ready.keeps_lock = ready.ends_when_told = true;
    ready.session = "s-1";
    CHECK(to_json(ready) ==
          R"({"name":"bob","locked":true,"keeps_lock":true,"ends_when_told":true,"session":"s-1"})");
    Ready parsed = parse_ready(to_json(ready));
    CHECK(parsed.keeps_lock);
    CHECK(parsed.ends_when_told);
    CHECK(parsed.session == "s-1");
    Ready only_locked = parse_ready(R"({"locked":true})");
    CHECK_FALSE(only_locked.keeps_lock);
    CHECK_FALSE(only_locked.ends_when_told);
}

TEST_CASE("a ready file tells the labels of its agent, and what is wrong with them") {
    Ready ready;
    ready.labels = *base::Labels::of({"linux", "gpu"});
    CHECK(to_json(ready) == R"({"labels":["gpu","linux"]})");
    CHECK(parse_ready(to_json(ready)).labels == ready.labels);
    CHECK(parse_ready(to_json(ready)).labels_problem.empty());
    for (const char* text : {R"({"labels":["a b"]})", R"({"labels":"gpu"})", R"({"labels":[7]})"}) {
        CHECK(parse_ready(text).labels.empty());
        CHECK(parse_ready(text).labels_problem.starts_with("\"labels\""));
    }
    CHECK(parse_ready(R"({"labels":null})").labels_problem.empty());
}

TEST_CASE("an agent that fails says why, and with which exit code or signal") {
    CHECK(to_json(with_release({Reason::failed, "no \"key\"", 7, {}})) ==
          R"({"handed_back":"no \"key\"","reason":"failed","exit_code":7})");
    CHECK(to_json(with_release({Reason::failed, "", {}, 9})) ==
          R"({"handed_back":"","reason":"failed","signal":9})");
    Ready parsed = parse_ready(R"({"name":"a","handed_back":"why","reason":"failed","exit_code":7})");
    REQUIRE(parsed.release);
    CHECK(parsed.release->reason == Reason::failed);
    CHECK(parsed.release->message == "why");
    CHECK(parsed.release->exit_code == 7);
    CHECK_FALSE(parsed.release->signal);
}

TEST_CASE("an agent that fails gives the failure's name, whether it is permanent, and its report") {
    Release release{Reason::failed, "m", {}, {}, "too_large", true, AgentReport{.kind = "claude"}};
    std::string text = to_json(with_release(release));
    CHECK(
        text ==
        R"({"handed_back":"m","reason":"failed","failure":"too_large","permanent":true,"report":{"kind":"claude","repairs":0,"turns":0,"input_tokens":0,"cached_tokens":0,"output_tokens":0}})");
    CHECK(parse_ready(text).release == release);
    auto odd =
        parse_ready(R"({"handed_back":"m","reason":"failed","failure":"a\nb","permanent":1,"report":[]})");
    CHECK(odd.release == Release{Reason::failed, "m", {}, {}});
}

TEST_CASE("a ready file names the account of its agent") {
    Ready ready;
    ready.account = "claude-1";
    CHECK(to_json(ready) == R"({"account":"claude-1"})");
    CHECK(parse_ready(to_json(ready)).account == "claude-1");
    CHECK(parse_ready(R"({"account":7})").account.empty());
    ready.account = std::string(Ready::max_account + 1, 'a');
    CHECK(parse_ready(to_json(ready)).account.empty());
}

TEST_CASE("a ready file tells whether its agent wants schemas, and whether it reports") {
    Ready ready;
    ready.wants_schema = true;
    CHECK(to_json(ready) == R"({"wants_schema":true})");
    CHECK(parse_ready(to_json(ready)).wants_schema);
    CHECK_FALSE(parse_ready(to_json(ready)).reports);
    ready.reports = true;
    CHECK(to_json(ready) == R"({"wants_schema":true,"reports":true})");
    CHECK(parse_ready(R"({"reports":true})").reports);
    CHECK_FALSE(parse_ready(R"({"reports":"yes","wants_schema":1})").wants_schema);
}

TEST_CASE("every reason comes out of its text as it went in") {
    for (Reason reason : {Reason::handed_back, Reason::failed, Reason::timeout, Reason::ended}) {
        Ready parsed = parse_ready(to_json(with_release({reason, "m", {}, {}})));
        REQUIRE(parsed.release);
        CHECK(parsed.release->reason == reason);
        CHECK(parse_reason(reason_name(reason)) == reason);
    }
}

TEST_CASE("a task is handed back by the documented member alone, whatever else there is") {
    CHECK(parse_ready(R"({"handed_back":"broke"})").release->reason == Reason::handed_back);
    CHECK(parse_ready(R"({"handed_back":"broke","reason":"new"})").release->reason == Reason::handed_back);
    CHECK(parse_ready(R"({"handed_back":"broke","reason":7,"exit_code":"x"})").release->message == "broke");
    CHECK_FALSE(parse_ready(R"({"handed_back":true,"reason":"failed"})").release);
    CHECK_FALSE(parse_ready(R"({"reason":"failed"})").release);
}
