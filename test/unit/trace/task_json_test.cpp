#include "json/json.hpp"
#include "trace/run_json.hpp"
#include "trace_helper.hpp"

using namespace trace;

namespace {

std::string task(const std::string& text, Row row, const TaskJsonOptions& options = {}) {
    auto json = task_json(traced(text), lines_of(text), row, options);
    REQUIRE(json.has_value());
    REQUIRE_FALSE(json::check(*json));
    return *json;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a task is shown with its value as it was written, its response and its children") {
    std::string json = task(over, 0);
    CHECK(json.starts_with(
        R"({"row":0,"id":0,"step":"A","finally":false,"state":"done","parent":null,"children":[1,3],)"
        R"("children_count":2,"value":"{\"n\":1.0}","attempts":[{"row":0,"id":0,"attempt":1,"submitted":1,)"
        R"("started":1000,"ended":2000,"outcome":"succeeded","failure":null,)"
        R"("response":"[{\"kind\":\"B\",\"value\":{}},{\"kind\":\"B\",\"value\":{}}]","agent":null,"report":null,)"
        R"("measured":null,"reused":null,"answered_by":null,"lenient":false}]})"));
}

TEST_CASE("all attempts of a task are shown, whichever of their rows is asked for") {
    std::string json = task(over, 2);
    CHECK(json == task(over, 3));
    CHECK(json.starts_with(R"({"row":3,"id":3,"step":"B","finally":false,"state":"done","parent":0,)"));
    CHECK(contains(json, R"({"row":2,"id":2,"attempt":1,)"));
    CHECK(contains(json, R"("outcome":"retried","failure":{"reason":"Timeout",)"));
    CHECK(contains(json, R"({"row":3,"id":3,"attempt":2,)"));
    CHECK(contains(task(over, 1), R"("exit_code":3,"signal":null,"hook":null,"message":"no\nlast words")"));
    CHECK(contains(task(over, 4), R"("finally":true,"state":"done","parent":null)"));
}

TEST_CASE("the state of a task that has not ended is the caller's, if the caller knows it") {
    CHECK(contains(task(retried, 3), R"("state":"waiting")"));
    TaskJsonOptions options;
    options.state = "running";
    CHECK(contains(task(retried, 3, options), R"("state":"running")"));
    CHECK(contains(task(retried, 3), R"("ended":null,"outcome":null,"failure":null,"response":null)"));
}

TEST_CASE("a task that waits for a person says so") {
    std::string config = R"({"entrypoint":"A","steps":[{"name":"A","action":{"kind":"Human",)"
                         R"("instructions":"Is it right?"},"next":[]}]})";
    std::string text = R"({"kind":"Config","config":)" + config + R"(,"directory":"/","time":1})" + "\n" +
                       submitted(0, "A", "null", initial);
    CHECK(contains(task(text, 0), R"("state":"human")"));
    CHECK(contains(steps_json(*traced(text).config()), R"("action":"Human","next":[])"));
    CHECK(contains(steps_json(*traced(text).config()), R"("instructions":"Is it right?")"));
    std::string end = succeeded(0, "[]");
    text += end.insert(end.size() - 2, R"(,"answered_by":"mira")");
    CHECK(contains(task(text, 0), R"("answered_by":"mira")"));
    CHECK(contains(task(text, 0), R"("state":"done")"));
}

TEST_CASE("what an agent reports, what was measured and whose result was reused is shown") {
    std::string end = reported(succeeded(1, "[]"), R"({"kind":"claude","usd":0.5})");
    end.insert(end.size() - 2, R"(,"measured":{"cpu_ms":7,"peak_memory_bytes":12,"action_ms":40})");
    std::string json = task(grown + end, 1);
    CHECK(contains(json, R"("report":{"kind":"claude",)"));
    CHECK(contains(json,
                   R"("measured":{"pre_ms":null,"action_ms":40,"post_ms":null,"cpu_ms":7,"peak_bytes":12})"));
    std::string taken = succeeded(1, "[]");
    taken.insert(taken.size() - 2, R"(,"reused":{"run_id":"r0","task_id":4})");
    CHECK(contains(task(grown + taken, 1), R"("reused":{"run":"r0","task":4})"));
}

TEST_CASE("long texts are cut where a character ends, and say how much is missing") {
    std::string text = config_line + submitted(0, "A", "null", initial, R"("ääää")") + dropped(0, R"("ööö")");
    TaskJsonOptions options;
    options.most_text = 4;
    std::string json = task(text, 0, options);
    CHECK(contains(json, R"("value":"\"ä","value_left_out":7)"));
    CHECK(contains(json, R"("message":"öö","name":null,"permanent":false,"message_left_out":2})"));
    options.most_text = 100;
    CHECK_FALSE(contains(task(text, 0, options), "left_out"));
}

TEST_CASE("at most a thousand children are listed, and a large response is left out") {
    std::string json = task(many(1'200, [](int id) { return succeeded(id, "[]"); }), 0);
    CHECK(contains(json, R"(,1000],"children_count":1200)"));
    CHECK(contains(json, R"("response":null)"));
}

TEST_CASE("rows that are left out are not shown as parents and children") {
    const std::vector<Row> rows{0, 3};
    TaskJsonOptions options;
    options.renumber = [&](Row row) { return number_among(rows, row); };
    CHECK(contains(task(over, 0, options), R"("children":[1],"children_count":2)"));
    const std::vector<Row> alone{2, 3};
    options.renumber = [&](Row row) { return number_among(alone, row); };
    CHECK(task(over, 3, options).starts_with(R"({"row":1,"id":3,)"));
    CHECK(contains(task(over, 3, options), R"("parent":null)"));
}

TEST_CASE("a log that is not the same any more is an error") {
    Trace made = traced(over);
    std::string other = initial_log + std::string(over.size(), ' ');
    CHECK(task_json(made, lines_of(other), 1).has_error());
    CHECK(task_json(made, lines_of(config_line), 0).has_error());
}

TEST_CASE("a run is shown with its steps, its agents and its position") {
    std::string text = grown + reported(succeeded(1, "[]"), R"({"kind":"claude","model":"opus"})");
    std::string json = run_json(traced(text), R"({"id":"r"})", true);
    REQUIRE_FALSE(json::check(json));
    CHECK(json.starts_with(R"({"run":{"id":"r"},"entrypoint":"A","steps":[{"name":"A","action":"Command",)"
                           R"("next":["A","B"],"pre":false,"post":false,"finally":true,)"));
    CHECK(json.ends_with(R"("agents":["claude opus"],"unreported":[],"position":"3.2","live":true})"));
    std::string sums = sums_json(traced(over));
    REQUIRE_FALSE(json::check(sums));
    CHECK(contains(sums, R"({"step":"B","finally":false,"tasks":2,"waiting":0,"done":1,"dropped":1,)"
                         R"("retried":1,"timed":3,"total_ms":4000,"longest_ms":2000})"));
    CHECK(contains(sums, R"({"step":"A","finally":true,"tasks":1,)"));
}
