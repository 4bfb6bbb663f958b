#include "nats_engine/control.hpp"

#include <catch2/catch.hpp>

using namespace nats_engine;

TEST_CASE("a question is the same when it arrives") {
    for (const auto& delivery :
         {std::optional<edge::Delivery>(), std::optional<edge::Delivery>("$JS.ACK.Q.c.1")}) {
        auto read = parse_control(control_text(Asking{"t.1", {5, 6}, delivery}));
        REQUIRE(read);
        const auto& asking = std::get<Asking>(*read);
        CHECK(asking.task == edge::TaskId("t.1"));
        CHECK(asking.nonce == edge::Nonce{5, 6});
        CHECK(asking.delivery == delivery);
    }
}

TEST_CASE("other messages between edges are the same when they arrive") {
    auto check = parse_control(control_text(Checking{"t"}));
    REQUIRE(check);
    CHECK(std::get<Checking>(*check).task == edge::TaskId("t"));
    auto queues = parse_control(control_text(MoreQueues{"h1"}));
    REQUIRE(queues);
    CHECK(std::get<MoreQueues>(*queues).edge == edge::EdgeId("h1"));
    auto joining = parse_control(control_text(Joining{"t"}));
    REQUIRE(joining);
    CHECK(std::get<Joining>(*joining).task == "t");
    CHECK(std::get<Searching>(*parse_control(control_text(Searching{"t", "h1", true}))).for_submitters);
    auto searching = parse_control(control_text(Searching{"t", "h1"}));
    REQUIRE(searching);
    CHECK(std::get<Searching>(*searching).task == edge::TaskId("t"));
    CHECK(std::get<Searching>(*searching).seeker == edge::EdgeId("h1"));
    for (auto trace : {edge::Trace::ended, edge::Trace::over, edge::Trace::awaited, edge::Trace::held})
        CHECK(parse_trace(trace_text(trace)) == trace);
    CHECK(parse_answer(answer_text(true)) == true);
    CHECK(parse_answer(answer_text(false)) == false);
}

TEST_CASE("messages of another form are passed over") {
    for (const char* wrong :
         {"", "x", "[]", "{}", R"({"kind":"other"})", R"({"kind":"check"})", R"({"kind":"search"})",
          R"({"kind":"search","task":"*"})", R"({"kind":"check","task":"a b"})",
          R"({"kind":"ask","task":"t"})", R"({"kind":"ask","task":"*","nonce":"1-2"})",
          R"({"kind":"ask","task":"t","nonce":"1"})", R"({"kind":7,"task":"t","nonce":"1-2"})"}) {
        CAPTURE(wrong);
        CHECK(!parse_control(wrong));
    }
    for (const char* wrong : {"", "true", "{}", R"({"has":"true"})", R"({"has":null})"})
        CHECK(!parse_answer(wrong));
    for (const char* wrong : {"", "held", "{}", R"({"trace":"other"})", R"({"trace":1})"})
        CHECK(!parse_trace(wrong));
}
