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
    status.version = "1.2";
    status.program_replaced = true;
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
    status.queue_wait.counts = {2, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5};
    status.queue_wait.count = 5;
    status.queue_wait.sum = 24'350'261us;
    return status;
}

}  // namespace

TEST_CASE("a status is one line of JSON, durations in milliseconds and times since the epoch") {
    CHECK(
        to_json(example()) ==
        R"({"kind":"Status","pool":"reviews","path":"/r/pools/reviews","pid":4711,"version":"1.2","program_replaced":true,"time":1000000,)"
        R"("started":400000,"draining":true,)"
        R"("queue":{"length":2,"head":{"submission":"s2","since":987655,"for_ms":12345},)"
        R"("unmatched":[{"labels":["gpu"],"missing":["gpu"],"length":1,"since":960000,"for_ms":40000}]},)"
        R"("counts":{"submitted":10,"recovered":1,"processed":4,"timed_out":1,"stopped":1,"withdrawn":1,)"
        R"("invalid":2,"handed_back":3,"kicked":5,"failed":6,"died":7},)"
        R"("waiting":{"count":5,"p50_ms":0.083,"p90_ms":1.500,"p99_ms":12003.000,"max_ms":12345.678},)"
        R"("working":{"count":0,"p50_ms":null,"p90_ms":null,"p99_ms":null,"max_ms":null},)"
        R"("queue_wait":{"count":5,"sum_ms":24350.261,"at_most":[{"ms":1,"count":2},{"ms":5,"count":3},)"
        R"({"ms":10,"count":3},{"ms":50,"count":3},{"ms":100,"count":3},{"ms":500,"count":3},)"
        R"({"ms":1000,"count":3},{"ms":5000,"count":3},{"ms":15000,"count":5},{"ms":60000,"count":5},)"
        R"({"ms":300000,"count":5},{"ms":900000,"count":5},{"ms":3600000,"count":5},)"
        R"({"ms":10800000,"count":5},{"ms":28800000,"count":5},{"ms":86400000,"count":5}]},)"
        R"("task_duration":{"count":0,"sum_ms":0.000,"at_most":[{"ms":1,"count":0},{"ms":5,"count":0},)"
        R"({"ms":10,"count":0},{"ms":50,"count":0},{"ms":100,"count":0},{"ms":500,"count":0},)"
        R"({"ms":1000,"count":0},{"ms":5000,"count":0},{"ms":15000,"count":0},{"ms":60000,"count":0},)"
        R"({"ms":300000,"count":0},{"ms":900000,"count":0},{"ms":3600000,"count":0},)"
        R"({"ms":10800000,"count":0},{"ms":28800000,"count":0},{"ms":86400000,"count":0}]},)"
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

TEST_CASE("of a histogram with other buckets nothing is read") {
    for (const char* histogram : {R"({"count":5,"sum_ms":1,"at_most":[{"ms":1,"count":5}]})",
                                  R"({"count":5,"sum_ms":1,"at_most":7})", R"([])", "null"}) {
        auto read = parse_status(std::string(R"({"kind":"Status","queue_wait":)") + histogram + "}");
        REQUIRE(read.has_value());
        CHECK(read->queue_wait.count == 0);
    }
}

TEST_CASE("the part of the engine is written and read") {
    Status status;
    status.pool = "reviews";
    EngineStatus engine{
        "nats://h1:4222",
        "h1-12345678",
        true,
        1'795'262'400'500ms,
        "",
        2,
        3,
        {"a", "b"},
        4,
        {1, 2, 3, 4, 5, 6, 7, 8, 9},
        {{"h1-12345678", 1, 2, 2, 3}, {"h2-\"", 4, 5, 6, 7, 65s, 412us, {9, 8, 7, 6, 5, 4, 3, 2, 1}}},
        1234us};
    engine.hosts[1].labels = {base::Labels(), *base::Labels::parse("gpu,linux")};
    status.engine = engine;
    CHECK(parse_status(to_json(status))->engine == engine);
    CHECK(to_json(status).find(R"("lag_ms":1.234,)") != std::string::npos);
    status.engine = EngineStatus();
    status.engine->problem = "refused";
    CHECK(parse_status(to_json(status))->engine == status.engine);
    status.engine.reset();
    CHECK(to_json(status).find("engine") == std::string::npos);
    CHECK_FALSE(parse_status(to_json(status))->engine);
}

TEST_CASE("a part of the engine with other types reads as zero and empty") {
    auto read = parse_status(
        R"({"kind":"Status","engine":{"name":1,"connected":"yes","since":-5,"leases":-1,"elsewhere":[1,"a"],)"
        R"("lag_ms":"slow","counts":[],"hosts":[7,{"idle":"many","connected_for_ms":null,"counts":7,"labels":[["a"],"b"]}]}})");
    REQUIRE(read.has_value());
    REQUIRE(read->engine);
    CHECK_FALSE(read->engine->is_connected);
    CHECK_FALSE(read->engine->since);
    CHECK_FALSE(read->engine->lag);
    CHECK(read->engine->elsewhere == std::vector<std::string>{"a"});
    CHECK(read->engine->hosts == std::vector<HostStatus>{HostStatus{}});
}

TEST_CASE("a request for the status may ask for the hosts") {
    CHECK_FALSE(parse_status_request(status_request())->wants_hosts);
    CHECK(parse_status_request(status_request(true))->wants_hosts);
    CHECK_FALSE(parse_status_request(R"({"kind":"Status","hosts":1})")->wants_hosts);
}
