#include "trace/dropped.hpp"

#include "json/json.hpp"
#include "trace_helper.hpp"

using namespace trace;

namespace {

std::vector<std::string> dropped_in(const std::string& text, const DroppedWanted& wanted = {}) {
    auto tasks = dropped_json(traced(text), lines_of(text), wanted);
    REQUIRE(tasks.has_value());
    for (const std::string& task : *tasks)
        REQUIRE_FALSE(json::check(task));
    return *tasks;
}

// B (1) is dropped at its first attempt, and B (3) at its second.
const std::string two = retried + dropped(1, R"("no\nlast words")") + dropped(3, R"("again")");

}  // namespace

TEST_CASE("dropped tasks are told with their last failures, the last one first") {
    auto tasks = dropped_in(two);
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0].starts_with(
        R"({"id":3,"step":"B","finally":false,"attempts":2,"reason":"CommandFailed","exit_code":3,)"));
    CHECK(tasks[1].starts_with(R"({"id":1,"step":"B","finally":false,"attempts":1,)"));
    CHECK(tasks[1].find(R"("message":"no\nlast words")") != std::string::npos);
    CHECK(dropped_in(retried).empty());
    CHECK(dropped_in(over).size() == 1);
}

TEST_CASE("only some of the dropped tasks are told, with the beginnings of their messages") {
    CHECK(dropped_in(two, {.most = 1}) == std::vector{dropped_in(two)[0]});
    CHECK(dropped_in(two, {.skipped = 1}) == std::vector{dropped_in(two)[1]});
    CHECK(dropped_in(two, {.skipped = 2}).empty());
    CHECK(dropped_in(two, {.step = 0}).empty());
    CHECK(dropped_in(two, {.step = 1}).size() == 2);
    auto cut = dropped_in(two, {.most_message = 2});
    CHECK(cut[1].find(R"("message":"no",)") != std::string::npos);
    CHECK(cut[1].ends_with(R"(,"message_left_out":11})"));
}
