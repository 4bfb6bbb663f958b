#include "serve/task_rows.hpp"

#include "serve_log.hpp"

#include <vector>

using namespace serve_log;
using serve::FoundTasks;
using serve::TaskRows;
using trace::Row;

namespace {

std::string retry(int replaced, int task) {
    return completed(replaced,
                     failure(R"({"kind":"Timeout"})", R"(,"retry_task_id":)" + std::to_string(task)), 2000) +
           submitted(task, "A", R"({"Retry":{"replaces":)" + std::to_string(replaced) + "}}", "1", 2000);
}

// Rows 0 to 2 are attempts at A, 3 and 4 its children, 5 and 6 attempts at its `finally`.
const std::string two_attempts = head + submitted(0, "A", initial, "1", 1000) + retry(0, 1);
const std::string third_attempt = retry(1, 2);
const std::string rest = completed(2, success("[3,4]"), 3000) +
                         submitted(3, "B", spawned, "2", 3000, R"(,"parent_id":2)") +
                         submitted(4, "B", spawned, "2", 3000, R"(,"parent_id":2)") +
                         completed(3, success("[]"), 4000) + completed(4, success("[]"), 4000) +
                         submitted(5, "A", R"({"Finally":{"finally_for":2}})", "1", 4000) + retry(5, 6);

void feed(trace::Trace& trace, const std::string& text) {
    auto fed = trace.feed(text);
    INFO((fed ? "" : fed.error().message));
    REQUIRE(fed.has_value());
}

trace::Trace traced(const std::string& text) {
    trace::Trace made("LOG");
    feed(made, text);
    return made;
}

std::vector<Row> found(const std::vector<Row>& hits, Row end = 7) {
    trace::Trace trace = traced(two_attempts + third_attempt + rest);
    REQUIRE(trace.position().rows == 7);
    FoundTasks tasks(end);
    for (Row hit : hits)
        tasks.add(trace, hit);
    CHECK(tasks.count() == tasks.last_rows().size());
    return tasks.last_rows();
}

}  // namespace

TEST_CASE("a task of which attempts are found is found once, with its last attempt") {
    CHECK(found({}).empty());
    CHECK(found({0, 1, 2}) == std::vector<Row>{2});
    CHECK(found({2, 1, 0, 1}) == std::vector<Row>{2});
    CHECK(found({6, 3, 1}) == std::vector<Row>{2, 3, 6});
    CHECK(found({4, 5}) == std::vector<Row>{4, 6});
}

TEST_CASE("attempts that came after a search began are not looked at") {
    CHECK(found({0, 2, 6}, 2) == std::vector<Row>{1});
    CHECK(found({trace::absent}).empty());
}

TEST_CASE("the attempts of a task are known from any of them, as the trace grows") {
    for (Row row : {0U, 1U}) {
        trace::Trace trace = traced(two_attempts);
        TaskRows task(row);
        task.update(trace);
        CHECK(task.last() == 1);
        CHECK_FALSE(task.contains(2));
        feed(trace, third_attempt + rest);
        task.update(trace);
        CHECK(task.last() == 2);
        for (Row other = 0; other < 7; ++other)
            CHECK(task.contains(other) == (other <= 2));
    }
}

TEST_CASE("the attempts of a finally are not those of its task") {
    trace::Trace trace = traced(two_attempts + third_attempt + rest);
    TaskRows task(6);
    task.update(trace);
    CHECK(task.contains(5));
    CHECK_FALSE(task.contains(2));
}
