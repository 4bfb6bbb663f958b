#include "pool_protocol/messages.hpp"

#include "base/json.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;
using namespace std::chrono_literals;

namespace {

base::Result<Request> parse(std::string_view text) {
    std::optional<std::string> id;
    return parse_request(text, id);
}

std::string error_of(std::string_view text) {
    auto request = parse(text);
    return request.has_error() ? request.error().message : "";
}

}  // namespace

TEST_CASE("a request comes out of its text as it went in") {
    Request request("r1", Inline{"{\"a\":\"\\u00e9 \\\"\"}"});
    auto parsed = parse(to_json(request));
    REQUIRE(parsed.has_value());
    CHECK(parsed->id == "r1");
    CHECK(std::get<Inline>(parsed->payload).content == "{\"a\":\"\\u00e9 \\\"\"}");
    auto reference = parse(to_json(Request(std::nullopt, FileReference{"/x y"})));
    REQUIRE(reference.has_value());
    CHECK_FALSE(reference->id);
    CHECK(std::get<FileReference>(reference->payload).path == "/x y");
}

TEST_CASE("a request that can't be accepted says what is wrong") {
    CHECK(error_of("{\"kind\":").find("the request") != std::string::npos);
    CHECK(error_of("[]").find("not a JSON object") != std::string::npos);
    CHECK(error_of(R"({"kind":"Other","content":"1"})").find("\"Other\"") != std::string::npos);
    CHECK(error_of(R"({"content":"1"})").find("missing") != std::string::npos);
    CHECK(error_of(R"({"kind":"Inline","content":{}})").find("\"content\"") != std::string::npos);
    CHECK(error_of(R"({"kind":"FileReference","path":"relative"})").find("absolute") != std::string::npos);
    CHECK(error_of(R"({"kind":"Inline","content":"1","id":"../x"})").find("\"id\"") != std::string::npos);
    CHECK(error_of(R"({"kind":"Inline","content":"1","id":7})").find("\"id\"") != std::string::npos);
}

TEST_CASE("a path that no file can have is refused, and none is cut short") {
    CHECK(error_of(R"({"kind":"FileReference","path":"/etc/hosts\u0000.json"})").find("NUL") !=
          std::string::npos);
    CHECK(error_of(R"({"kind":"FileReference","path":"\u0000/etc/hosts"})").find("absolute") !=
          std::string::npos);
    Request longest(std::nullopt, FileReference{"/" + std::string(4094, 'x')});
    CHECK(parse(to_json(longest)).has_value());
    Request too_long(std::nullopt, FileReference{"/" + std::string(4095, 'x')});
    CHECK(error_of(to_json(too_long)).find("4096 bytes long") != std::string::npos);
}

TEST_CASE("a complaint is short, however long what it complains of is") {
    std::string text(1'000'000, 'x');
    CHECK(error_of("{\"kind\":\"" + text + "\"}").size() < 300);
    CHECK(error_of("{\"kind\":\"FileReference\",\"path\":\"" + text + "\"}").size() < 300);
}

TEST_CASE("the id of a bad request is known all the same, for its answer") {
    std::optional<std::string> id;
    CHECK(parse_request(R"({"id":"r7","kind":"Other"})", id).has_error());
    CHECK(id == "r7");
}

TEST_CASE("content that is not JSON is told with its byte offset") {
    CHECK_FALSE(content_problem(R"({"a":1e400})"));
    auto problem = content_problem("{\"a\":1,}");
    REQUIRE(problem);
    CHECK(problem->find("byte 7") != std::string::npos);
}

TEST_CASE("a timeout in the content counts if it is a positive number") {
    CHECK(content_timeout(R"({"timeout_seconds":2})") == 2000ms);
    CHECK(content_timeout(R"({"timeout_seconds":0.25})") == 250ms);
    CHECK(content_timeout(R"({"timeout_seconds":1e400})") == 10'000'000'000'000ms);
    CHECK_FALSE(content_timeout(R"({"timeout_seconds":0})"));
    CHECK_FALSE(content_timeout(R"({"timeout_seconds":-1})"));
    CHECK_FALSE(content_timeout(R"({"timeout_seconds":"2"})"));
    CHECK_FALSE(content_timeout(R"({"task":{"timeout_seconds":2}})"));
    CHECK_FALSE(content_timeout("[1]"));
}

TEST_CASE("answers have the documented form") {
    CHECK(to_json(Answer::processed("[]\n")) == R"({"kind":"Processed","stdout":"[]\n"})");
    CHECK(to_json(Answer::timeout()) == R"({"kind":"NotProcessed","reason":"timeout"})");
    CHECK(to_json(Answer::stopped(), "r1") == R"({"id":"r1","kind":"NotProcessed","reason":"stopped"})");
    CHECK(to_json(Answer::invalid("no")) == R"({"kind":"NotProcessed","reason":"invalid","message":"no"})");
}

TEST_CASE("the agent is named only to who gave the submission an id") {
    CHECK(to_json(Answer::processed("[]", "a\"1")) == R"({"kind":"Processed","stdout":"[]"})");
    CHECK(to_json(Answer::processed("[]", "a\"1"), "r1") ==
          R"({"id":"r1","agent":"a\"1","kind":"Processed","stdout":"[]"})");
    CHECK(parse_answer(to_json(Answer::timeout("a\"1"), "r1"))->answer.agent == "a\"1");
    CHECK(to_json(Answer::timeout("a", "no \"key\"")) == R"({"kind":"NotProcessed","reason":"timeout"})");
    CHECK(to_json(Answer::timeout("a", "no \"key\""), "r1") ==
          R"({"id":"r1","agent":"a","kind":"NotProcessed","reason":"timeout","message":"no \"key\""})");
    std::optional<std::string> id;
    Request request("r1", Inline{"1"});
    CHECK(to_json(request) == R"({"id":"r1","kind":"Inline","content":"1"})");
    CHECK_FALSE(parse_request(to_json(request), id)->wants_agent);
    request.wants_agent = true;
    CHECK(parse_request(to_json(request), id)->wants_agent);
}

TEST_CASE("answers come out of their text as they went in") {
    for (const Answer& answer :
         {Answer::processed("[{\"kind\":\"A\"}]"), Answer::timeout(), Answer::timeout("a", "no key"),
          Answer::stopped(), Answer::invalid("byte 3")}) {
        auto parsed = parse_answer(to_json(answer, "r1"));
        REQUIRE(parsed.has_value());
        CHECK(parsed->id == "r1");
        CHECK(parsed->answer.kind == answer.kind);
        CHECK(parsed->answer.text == answer.text);
    }
    CHECK(parse_answer("{}").has_error());
    CHECK(parse_answer("nonsense").has_error());
}

TEST_CASE("a withdrawal is no request") {
    CHECK(parse_withdrawal(withdrawal("r1")) == "r1");
    CHECK_FALSE(parse_withdrawal(to_json(Request("r1", Inline{"1"}))));
    CHECK_FALSE(parse_withdrawal("nonsense"));
}

TEST_CASE("a ready file may hold anything") {
    CHECK(parse_ready("").name.empty());
    CHECK(parse_ready("[1]").name.empty());
    CHECK(parse_ready(R"({"name":"bob"})").name == "bob");
    CHECK_FALSE(parse_ready(R"({"name":"bob"})").locked);
    Ready ready{"bob", true, "broke"};
    Ready parsed = parse_ready(to_json(ready));
    CHECK(parsed.name == "bob");
    CHECK(parsed.locked);
    CHECK(parsed.handed_back == "broke");
    CHECK_FALSE(parsed.failed);
    CHECK(to_json(Ready{}) == "{}");
    Ready failed;
    failed.failed = "no \"key\"";
    CHECK(parse_ready(to_json(failed)).failed == "no \"key\"");
    CHECK_FALSE(parse_ready(to_json(failed)).handed_back);
}

TEST_CASE("control messages are told from contents that look like them") {
    auto heartbeat = parse_control_message(heartbeat_message());
    REQUIRE(heartbeat);
    CHECK(heartbeat->kind == ControlMessage::Kind::heartbeat);
    auto kicked = parse_control_message(kicked_message("Stopped"));
    REQUIRE(kicked);
    CHECK(kicked->kind == ControlMessage::Kind::kicked);
    CHECK(kicked->reason == "Stopped");
    for (const std::string& message : {heartbeat_message(), kicked_message("Timeout"),
                                       std::string(R"({"task":{"kind":1}, "k\u0069nd":"Kicked"})")}) {
        CHECK(reads_as_message(message));
        CHECK(parse_control_message(message));
        CHECK_FALSE(reads_as_message(" " + message));
        CHECK_FALSE(parse_control_message(" " + message));
    }
    for (std::string content : {R"({"a":1})", R"("Kicked")", R"({"task":{"kind":"Kicked"}})",
                                R"(["kind","Kicked"])", R"({"kind":"Task","kind":"Kicked"})"}) {
        CHECK_FALSE(reads_as_message(content));
        CHECK_FALSE(parse_control_message(content));
    }
}
