#include "serve/questions.hpp"

#include "serve_log.hpp"

#include <chrono>

using namespace serve_log;
using namespace std::chrono_literals;
using statelog::Time;

namespace {

const std::string whole_log = head + submitted(0, "A", initial, "1", 900) +
                              completed(0, success("[1,2,3]"), 2000) +
                              submitted(1, "Ask", spawned, R"({"n": 1.0})", 2000, R"(,"parent_id":0)") +
                              submitted(2, "Ask", spawned, "2", 2000, R"(,"parent_id":0)") +
                              submitted(3, "B", spawned, "3", 2000, R"(,"parent_id":0)");

trace::Trace traced(const std::string& text) {
    trace::Trace made("LOG");
    auto fed = made.feed(text);
    INFO((fed ? "" : fed.error().message));
    REQUIRE(fed.has_value());
    return made;
}

base::Result<std::string> line_at(std::uint64_t offset) {
    return whole_log.substr(offset, whole_log.find('\n', offset) - offset);
}

std::string question(trace::Row row, Time now) {
    auto json = serve::question_json(traced(whole_log), line_at, row, "run-1", "nightly", now);
    REQUIRE(json.has_value());
    return *json;
}

}  // namespace

TEST_CASE("the tasks of Human steps that are not over are questions") {
    CHECK(serve::asked_rows(traced(whole_log), 10) == std::vector<trace::Row>{1, 2});
    CHECK(serve::asked_rows(traced(whole_log), 1) == std::vector<trace::Row>{1});
    std::string answered = whole_log + completed(1, success("[]"), 3000, R"(,"answered_by":"ann")");
    CHECK(serve::asked_rows(traced(answered), 10) == std::vector<trace::Row>{2});
    std::string over = answered + completed(2, failure(R"({"kind":"Rejected","message":"no"})"), 3000);
    CHECK(serve::asked_rows(traced(over), 10).empty());
}

TEST_CASE("a question says what a person needs for an answer") {
    CHECK(
        question(1, Time(5000ms)) ==
        R"({"run":"run-1","run_name":"nightly","task":1,"row":1,"step":"Ask","since":2000,"expires":3602000,)"
        R"("value":"{\"n\":1.0}","instructions":"Good?","next":[{"name":"B","value_schema":null}],"answerable":true})");
}

TEST_CASE("a question that has expired is none") {
    CHECK_FALSE(question(1, Time(3601999ms)).empty());
    CHECK(question(1, Time(3602000ms)).empty());
}
