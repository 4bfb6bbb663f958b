#include "runs/control_message.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <catch2/catch.hpp>

using namespace runs;

namespace {

std::string refusal(std::string_view text) {
    auto request = parse_control_request(text);
    REQUIRE(request.has_error());
    return request.error().message;
}

}  // namespace

TEST_CASE("Requests to a run read back as they were written") {
    for (const ControlRequest& request :
         {ControlRequest(Attach{Attach::Mode::table, 120, 40, true}),
          ControlRequest(Attach{Attach::Mode::json, 80, 24, false}),
          ControlRequest(Attach{Attach::Mode::state, 80, 24, false}), ControlRequest(Attach{}),
          ControlRequest(Pause{true}), ControlRequest(Pause{false}), ControlRequest(Scale{8, {}, ""}),
          ControlRequest(Scale{{}, 0, "claude"}), ControlRequest(Scale{1, 3, ""}),
          ControlRequest(HumanAnswer{7, "ann \"b\"", R"([{"kind":"A","value":"\"\n"}])", ""}),
          ControlRequest(HumanAnswer{0, "ann", "", ""}),
          ControlRequest(HumanAnswer{1ULL << 40, "é", {}, "no \"\n"}),
          ControlRequest(HumanAnswer{1, "bob", {}, "no"})}) {
        auto read = parse_control_request(to_json(request));
        REQUIRE(read.has_value());
        CHECK(*read == request);
    }
}

TEST_CASE("Messages of a run read back as they were written") {
    for (const ControlMessage& message :
         {ControlMessage(Table{{"a \"b\"", ""}}), ControlMessage(Table{}), ControlMessage(Text{"one\ntwo\n"}),
          ControlMessage(State{R"({"elapsed_ms":12,"running":[]})"}),
          ControlMessage(Reply{false, "is paused"}), ControlMessage(Reply{true, "no"}),
          ControlMessage(Ended{143})}) {
        auto read = parse_control_message(to_json(message));
        REQUIRE(read.has_value());
        CHECK(*read == message);
    }
}

TEST_CASE("A request that is not valid is refused with the reason") {
    CHECK(refusal("[]") == "the request is not a JSON object");
    CHECK(refusal("{") == "the request is not a JSON object");
    CHECK(refusal(R"({"kind":"Dance"})") ==
          "the run does not know requests of the kind \"Dance\"; it may be of an older version of barnum");
    CHECK(refusal(R"({"kind":"Attach","mode":"x"})") == "there is no mode \"x\"");
    CHECK(refusal(R"({"kind":"Answer","user":"ann","response":"[]"})") ==
          "\"task\" must be the number of a task");
    for (const char* task : {"-1", "\"3\"", "18446744073709551616", "1.5", "null"})
        CHECK(refusal(base::concat(R"({"kind":"Answer","user":"ann","response":"[]","task":)", task, "}")) ==
              "\"task\" must be the number of a task");
    CHECK(refusal(R"({"kind":"Answer","task":1,"user":"ann","response":[]})") ==
          "\"response\" must be a string with a JSON array");
    CHECK(refusal(R"({"kind":"Answer","task":1,"user":"ann"})") ==
          "an answer needs a \"response\", or a \"reason\" for which the task is rejected");
    for (const std::string& user : {std::string(), std::string("a\nb"), std::string(257, 'a')})
        CHECK(refusal(base::concat(R"({"kind":"Answer","task":1,"response":"[]","user":)", json::quote(user),
                                   "}")) ==
              "\"user\" must be a name of 1 to 256 bytes without control characters");
    CHECK(refusal(R"({"kind":"Scale","jobs":0})") == "\"jobs\" must be a whole number from 1 to 100000");
    CHECK(refusal(R"({"kind":"Scale","jobs":100001})") == "\"jobs\" must be a whole number from 1 to 100000");
    CHECK(refusal(R"({"kind":"Scale","jobs":-1})") == "\"jobs\" must be a whole number from 1 to 100000");
    CHECK(refusal(R"({"kind":"Scale"})") == "nothing is to be changed: give \"jobs\" or \"agents\"");
    CHECK(refusal(R"({"kind":"Scale","jobs":1,"agent_kind":"claude"})") ==
          "\"agent_kind\" is given without \"agents\"");
    CHECK(refusal(R"({"kind":"Scale","agents":10001})") ==
          "\"agents\" must be a whole number from 0 to 10000");
}

TEST_CASE("The size of a terminal is at least two by two, and bounded") {
    auto read = parse_control_request(R"({"kind":"Attach","mode":"table","columns":0,"rows":99999999})");
    REQUIRE(read.has_value());
    const auto& attach = std::get<Attach>(*read);
    CHECK(attach.columns == 2);
    CHECK(attach.rows == 100'000);
}

TEST_CASE("A message that is not known is none") {
    CHECK_FALSE(parse_control_message("x").has_value());
    CHECK_FALSE(parse_control_message(R"({"kind":"Later"})").has_value());
}
