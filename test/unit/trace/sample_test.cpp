#include "trace/sample.hpp"

#include "trace_helper.hpp"

#include <algorithm>
#include <set>

using namespace trace;

namespace {

std::string timed_end(int id) {
    return at(succeeded(id, "[]"), 10'000 + id % 100, 10'000);
}

std::string mostly_failed(int id) {
    return id % 10 == 0 ? succeeded(id, "[]") : dropped(id, R"("no")");
}

std::string some_failed(int id) {
    return id % 50 == 0 ? failed(id, R"(,"retry_task_id":null)") : timed_end(id);
}

bool has(const Sample& sample, Row row) {
    return std::ranges::binary_search(sample.rows, row);
}

}  // namespace

TEST_CASE("a run that is not large is contained as a whole") {
    Sample sample = sample_of(traced(over));
    CHECK(sample.rows == std::vector<Row>{0, 1, 2, 3, 4});
    CHECK(sample.tasks == 4);
    CHECK(sample.of == 4);
    CHECK(sample.rule.empty());
}

TEST_CASE("of a large run all failures, the slowest tasks and some of each step are contained") {
    Trace made = traced(many(1'000, some_failed));
    Sample sample = sample_of(made, {200, 400, 10});
    CHECK(sample.tasks == 200);
    CHECK(sample.of == 1'001);
    CHECK(sample.rows.size() == 200);
    CHECK(std::ranges::is_sorted(sample.rows));
    CHECK(sample.rule ==
          "Of 1001 tasks, this report contains 200: all with a failed attempt, the 10 slowest, and of each "
          "step as many others as possible, evenly spaced. The sums are those of all tasks.");
    CHECK(has(sample, 0));  // the only task of its step
    for (Row row = 50; row <= 1'000; row += 50)
        CHECK(has(sample, row));
    for (Row row = 99; row <= 999; row += 100)
        CHECK(has(sample, row));
    // The rest is evenly spaced.
    Row widest = 0;
    for (std::size_t i = 1; i < sample.rows.size(); ++i)
        widest = std::max(widest, sample.rows[i] - sample.rows[i - 1]);
    CHECK(widest <= 8);
    CHECK(sample_of(made, {200, 400, 10}).rows == sample.rows);
}

TEST_CASE("of too many failures the first of each step and reason are contained, and others as well") {
    std::string text = many(1'000, mostly_failed);
    std::string late = failed(10, R"(,"retry_task_id":null)");
    text.replace(text.find(succeeded(10, "[]")), succeeded(10, "[]").size(), late);
    Sample sample = sample_of(traced(text), {100, 200, 10});
    CHECK(sample.tasks == 100);
    CHECK(sample.rule.find("of those with a failed attempt the first ones of each step and reason") !=
          std::string::npos);
    CHECK(has(sample, 10));  // the only one with its reason
    for (Row row = 1; row < 80; ++row)
        if (row % 10 != 0) CHECK(has(sample, row));
    CHECK_FALSE(has(sample, 999));
    auto succeeded_ones =
        std::ranges::count_if(sample.rows, [](Row row) { return row % 10 == 0 && row > 10; });
    CHECK(succeeded_ones >= 8);
}

TEST_CASE("the attempts of a task are contained together") {
    std::string text = many(300, timed_end);
    text += submitted(301, "A", "null", finally_for(0), R"({"n": 1.0})");
    for (int id = 301; id < 310; ++id)
        text += failed(id, R"(,"retry_task_id":)" + std::to_string(id + 1)) +
                submitted(id + 1, "A", "null", retry(id));
    Sample sample = sample_of(traced(text), {50, 60, 5});
    CHECK(sample.rows.size() <= 60);
    for (Row row = 301; row <= 310; ++row)
        CHECK(has(sample, row));
    CHECK_FALSE(has(sample_of(traced(text), {50, 8, 5}), 310));
}
