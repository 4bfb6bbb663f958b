#include "pool_protocol/messages.hpp"

#include "json/json.hpp"

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

TEST_CASE("a timeout is found at the end of a content that was not read") {
    std::string whole = R"({"task":{"value":"timeout_seconds"},"instructions":"x","timeout_seconds":2.5})";
    for (std::size_t length : {std::size_t{24}, std::size_t{40}, whole.size()})
        CHECK(timeout_at_end(std::string_view(whole).substr(whole.size() - length)) == 2500ms);
    CHECK(timeout_at_end(whole + "\n") == 2500ms);
}

TEST_CASE("no timeout is found at the end where the content has none of its own there") {
    for (const char* end :
         {R"({"task":{"a":1,"timeout_seconds":2}})",  // the task's
          R"({"a":"x,\"timeout_seconds\":2})",        // in a string
          R"({"timeout_seconds":2})",                 // not behind a comma
          R"(,"timeout_seconds":-2})", R"(,"timeout_seconds":"2"})", R"(,"timeout_seconds":2)", "", "}"}) {
        INFO(end);
        CHECK_FALSE(timeout_at_end(end));
    }
}

TEST_CASE("a request says what it wants to hear of besides, and nothing if it wants nothing") {
    Request request("r1", Inline{"1"});
    CHECK(to_json(request) == R"({"id":"r1","kind":"Inline","content":"1"})");
    const std::vector<bool Request::*> wishes{&Request::wants_agent, &Request::wants_failures,
                                              &Request::may_host, &Request::wants_unmatched,
                                              &Request::wants_activity};
    for (bool Request::*wish : wishes) {
        Request wishing = request;
        wishing.*wish = true;
        auto parsed = parse(to_json(wishing));
        REQUIRE(parsed.has_value());
        for (bool Request::*each : wishes)
            CHECK((*parsed).*each == (each == wish));
    }
    auto odd = parse(R"({"wants_failures":"yes","may_host":1,"kind":"Inline","content":"1"})");
    REQUIRE(odd.has_value());
    CHECK_FALSE(odd->wants_failures);
    CHECK_FALSE(odd->may_host);
}

TEST_CASE("a request keeps the text of its response's schema") {
    Request request("r1", Inline{"1"});
    request.response_schema = R"({"type": "array", "maxItems": 1.0})";
    CHECK(
        to_json(request) ==
        R"({"id":"r1","response_schema":{"type": "array", "maxItems": 1.0},"kind":"Inline","content":"1"})");
    CHECK(parse(to_json(request))->response_schema == request.response_schema);
    CHECK(parse(R"({"response_schema":null,"kind":"Inline","content":"1"})")->response_schema.empty());
}

TEST_CASE("a response's schema that is no object is refused") {
    for (const char* schema : {"true", "[]", "\"{}\"", "1"})
        CHECK_THAT(
            error_of(std::string(R"({"kind":"Inline","content":"1","response_schema":)") + schema + "}"),
            Catch::Contains("\"response_schema\""));
}

TEST_CASE("a request keeps its priority, and says nothing of none") {
    Request request("r1", Inline{"1"});
    request.priority = -7;
    CHECK(to_json(request) == R"({"id":"r1","priority":-7,"kind":"Inline","content":"1"})");
    CHECK(parse(to_json(request))->priority == -7);
    CHECK(parse(R"({"priority":null,"kind":"Inline","content":"1"})")->priority == 0);
    CHECK(parse(R"({"kind":"Inline","content":"1","priority":1000000})")->priority == 1'000'000);
}

TEST_CASE("a priority that can't be used is refused") {
    for (const char* priority : {"\"1\"", "1.5", "1e3", "1000001", "-1000001", "[]", "true"})
        CHECK_THAT(
            error_of(std::string(R"({"kind":"Inline","content":"1","priority":)") + priority + "}"),
            Catch::Equals("the request's \"priority\" must be a whole number from -1000000 to 1000000"));
}

TEST_CASE("a request with labels is of a kind that daemons without labels refuse") {
    Request request("r1", Inline{"1"});
    request.labels = *base::Labels::of({"linux", "gpu"});
    CHECK(to_json(request) ==
          R"({"id":"r1","labels":["gpu","linux"],"kind":"InlineWithLabels","content":"1"})");
    CHECK(parse(to_json(request))->labels == request.labels);
    request.payload = FileReference{"/x"};
    CHECK(to_json(request).find(R"("kind":"FileReferenceWithLabels","path":"/x")") != std::string::npos);
    CHECK(parse(to_json(request))->labels == request.labels);
    CHECK(parse(R"({"kind":"Inline","content":"1","labels":["gpu"]})")->labels.texts().size() == 1);
    CHECK(parse(R"({"kind":"InlineWithLabels","content":"1"})")->labels.empty());
    CHECK(error_of(R"({"kind":"WithLabels","content":"1"})").find("expected \"Inline\"") !=
          std::string::npos);
}

TEST_CASE("the refusal of a daemon without labels is known from others") {
    CHECK(
        refuses_labels(R"(the request's kind is "InlineWithLabels"; expected "Inline" or "FileReference")"));
    CHECK_FALSE(refuses_labels(error_of(R"({"kind":"Other","content":"1"})")));
    CHECK_FALSE(refuses_labels("the task's content is not JSON: WithLabels"));
}

TEST_CASE("labels that can't be used are refused") {
    for (const char* labels : {"\"gpu\"", "7", "[7]", "[\"a b\"]", "[\"\"]", "{}"}) {
        INFO(labels);
        std::string request = std::string(R"({"kind":"Inline","content":"1","labels":)") + labels + "}";
        CHECK(error_of(request).starts_with("the request: \"labels\""));
    }
}

TEST_CASE("a withdrawal is no request") {
    CHECK(parse_withdrawal(withdrawal("r1")) == "r1");
    CHECK_FALSE(parse_withdrawal(to_json(Request("r1", Inline{"1"}))));
    CHECK_FALSE(parse_withdrawal("nonsense"));
}

TEST_CASE("a kick for an unknown reason is written as it was read, one without a reason is a timeout") {
    std::string unknown = R"({"kind":"Kicked","reason":"\"New\""})";
    CHECK(kicked_message(parse_daemon_message(unknown)->reason) == unknown);
    CHECK(parse_daemon_message(R"({"kind":"Kicked"})")->reason == KickReason::timeout);
}

TEST_CASE("the daemon's messages are told from contents that look like them") {
    auto heartbeat = parse_daemon_message(heartbeat_message());
    REQUIRE(heartbeat);
    CHECK(heartbeat->kind == DaemonMessage::Kind::heartbeat);
    auto kicked = parse_daemon_message(kicked_message(KickReason::stopped));
    REQUIRE(kicked);
    CHECK(kicked->kind == DaemonMessage::Kind::kicked);
    CHECK(kicked->reason == KickReason::stopped);
    for (const std::string& message : {heartbeat_message(), kicked_message(KickReason::timeout),
                                       std::string(R"({"task":{"kind":1}, "k\u0069nd":"Kicked"})")}) {
        CHECK(reads_as_message(message));
        CHECK(parse_daemon_message(message));
        CHECK_FALSE(reads_as_message(" " + message));
        CHECK_FALSE(parse_daemon_message(" " + message));
    }
    for (std::string content : {R"({"a":1})", R"("Kicked")", R"({"task":{"kind":"Kicked"}})",
                                R"(["kind","Kicked"])", R"({"kind":"Task","kind":"Kicked"})"}) {
        CHECK_FALSE(reads_as_message(content));
        CHECK_FALSE(parse_daemon_message(content));
    }
}
