#include "pool_protocol/status.hpp"

#include "json/json.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;
using namespace std::chrono_literals;

namespace {

Status example() {
    Status status;
    status.pool = "reviews";
    status.path = "/r/pools/reviews";
    status.pid = 4711;
    status.time = 1'000'000ms;
    status.started = 400'000ms;
    status.draining = true;
    base::Labels gpu = *base::Labels::of({"gpu"});
    AgentStatus busy;
    busy.id = "u1";
    busy.name = "an \"agent\"";
    busy.state = AgentStatus::State::busy;
    busy.submission = "s1";
    busy.since = 999'000ms;
    busy.deadline = 1'060'000ms;
    busy.activity = AgentActivity{"Edit a.cpp", 7, 12'000, 9'000, 800, 0.31};
    AgentStatus idle;
    idle.id = "u2";
    idle.since = 998'500ms;
    idle.labels = gpu;
    status.agents = {busy, idle};
    status.away = {{"claude-1", gpu, "claude (/home/me/.claude)", 2'000'000ms, "limit"}};
    status.queue = {2, QueueStatus::Head{"s2", 987'655ms}, {{gpu, gpu, 1, 960'000ms}}};
    status.counts = {10, 1, 4, 1, 1, 1, 2, 3, 5, 6, 7};
    status.waiting = {5, 83us, 1'500us, 12'003'000us, 12'345'678us};
    return status;
}

}  // namespace

TEST_CASE("a status is one line of JSON, durations in milliseconds and times since the epoch") {
    CHECK(to_json(example()) ==
          R"({"kind":"Status","pool":"reviews","path":"/r/pools/reviews","pid":4711,"time":1000000,)"
          R"("started":400000,"draining":true,)"
          R"("queue":{"length":2,"head":{"submission":"s2","since":987655,"for_ms":12345},)"
          R"("unmatched":[{"labels":["gpu"],"missing":["gpu"],"length":1,"since":960000,"for_ms":40000}]},)"
          R"("counts":{"submitted":10,"recovered":1,"processed":4,"timed_out":1,"stopped":1,"withdrawn":1,)"
          R"("invalid":2,"handed_back":3,"kicked":5,"failed":6,"died":7},)"
          R"("waiting":{"count":5,"p50_ms":0.083,"p90_ms":1.500,"p99_ms":12003.000,"max_ms":12345.678},)"
          R"("working":{"count":0,"p50_ms":null,"p90_ms":null,"p99_ms":null,"max_ms":null},)"
          R"x("away":[{"name":"claude-1","labels":["gpu"],"account":"claude (/home/me/.claude)",)x"
          R"("reason":"limit","until":2000000}],)"
          R"("agents":[{"id":"u1","name":"an \"agent\"","state":"busy","submission":"s1","since":999000,)"
          R"("for_ms":1000,"deadline":1060000,"labels":[],"activity":{"text":"Edit a.cpp","turn":7,)"
          R"("input_tokens":12000,"cached_tokens":9000,"output_tokens":800,"usd":0.31}},)"
          R"({"id":"u2","name":null,"state":"idle","submission":null,"since":998500,"for_ms":1500,)"
          R"("deadline":null,"labels":["gpu"],"activity":null}]})");
}

TEST_CASE("a status carries the id that was asked with") {
    CHECK(to_json(Status{}, "mine").starts_with(R"({"id":"mine","kind":"Status",)"));
}

TEST_CASE("a status that is read is the one that was written") {
    std::string text = to_json(example());
    auto read = parse_status(text);
    REQUIRE(read.has_value());
    CHECK(to_json(*read) == text);
}

TEST_CASE("every state of an agent is read as it was written") {
    using State = AgentStatus::State;
    Status status = example();
    for (State state : {State::idle, State::busy, State::heartbeat, State::ending}) {
        status.agents[0].state = state;
        auto read = parse_status(to_json(status));
        REQUIRE(read.has_value());
        CHECK(read->agents[0].state == state);
    }
}

TEST_CASE("fields that are missing, unknown or of another kind do no harm") {
    auto read = parse_status(
        R"({"kind":"Status","away":[7,{}],"agents":[7,{"state":"dancing","activity":7},{}],"queue":[],"counts":null,)"
        R"("time":9223372036854775807,"started":"noon","waiting":{"count":-1,"p50_ms":1e300},"moon":"full"})");
    REQUIRE(read.has_value());
    CHECK(read->agents.size() == 2);
    CHECK(read->away.empty());
    CHECK(read->queue.length == 0);
    CHECK(read->time == 0ms);
    CHECK(read->waiting.count == 0);
}

TEST_CASE("an answer that is no status is told as such, with its text") {
    for (const char* text : {R"({"kind":"NotProcessed","reason":"invalid","message":"what?"})", "[]", "oops",
                             R"({"kind":"Processed","stdout":"Status"})"}) {
        auto read = parse_status(text);
        REQUIRE(read.has_error());
        CHECK(read.error().code == boost::system::errc::operation_not_supported);
        CHECK(read.error().message.find(json::quote(text)) != std::string::npos);
    }
    CHECK(parse_status(std::string(100'000, 'x')).error().message.size() < 500);
}

TEST_CASE("a request for the status is one with that kind, and an id or none") {
    auto plain = parse_status_request(status_request());
    REQUIRE(plain);
    CHECK_FALSE(plain->id);
    auto with_id = parse_status_request(R"({ "id": "mine", "kind": "Status" })");
    REQUIRE(with_id);
    CHECK(with_id->id == "mine");
    CHECK(parse_status_request(R"({"kind":"Status","id":null})"));
}

TEST_CASE("anything else is no request for the status") {
    CHECK_FALSE(parse_status_request(R"({"kind":"Inline","content":"\"Status\""})"));
    CHECK_FALSE(parse_status_request(R"({"kind":"Status","id":5})"));
    CHECK_FALSE(parse_status_request(R"({"kind":"Status","id":"no id"})"));
    CHECK_FALSE(parse_status_request(R"({"kind":"Status")"));
    CHECK_FALSE(parse_status_request(R"("Status")"));
    CHECK_FALSE(parse_status_request(""));
}
