#include "reuse/results.hpp"

#include "../statelog/log_text.hpp"

#include <catch2/catch.hpp>

using workflow::TaskId;

namespace {

// The results of a log for the config in the log's own header.
struct Read {
    explicit Read(const std::string& log)
        : log_(log), config(replayed(config_line).replay.config()), results(*config) {
        statelog::Replay replay("LOG", [&](const auto& of, const auto& record) { results.add(of, record); });
        REQUIRE(replay.feed(log).has_value());
    }

    workflow::Task task(const std::string& step, const std::string& value, bool is_finally = false) const {
        workflow::Task task;
        task.step = *config->find(step);
        task.value = std::make_shared<const std::string>(value);
        if (is_finally) task.finally_for = TaskId{0};
        return task;
    }

    std::optional<reuse::Found> take(const std::string& step, const std::string& value,
                                     bool is_finally = false) {
        auto found = results.take(task(step, value, is_finally), [&](std::uint64_t offset) {
            ++lines_read;
            return base::Result<std::string>(log_.substr(offset, log_.find('\n', offset) - offset));
        });
        REQUIRE(found.has_value());
        return *found;
    }

    std::string log_;
    std::shared_ptr<const config::WorkflowConfig> config;
    reuse::Results results;
    int lines_read = 0;
};

const std::string begun = config_line + submitted(0, "A", "null", initial, R"({"a":1,"b":2})");

}  // namespace

TEST_CASE("a result is found by step and value, whatever the order of the members") {
    Read read(begun + succeeded(0, "[1]") + submitted(1, "B", "0", spawned, R"({"c":[1.0]})"));
    auto found = read.take("A", R"({"b":2,"a":1})");
    REQUIRE(found);
    CHECK(found->task == TaskId{0});
    REQUIRE(found->next.size() == 1);
    CHECK(found->next[0].step == *read.config->find("B"));
    CHECK(*found->next[0].value == R"({"c":[1.0]})");
    CHECK_FALSE(read.take("A", R"({"b":2,"a":2})"));
    CHECK_FALSE(read.take("B", R"({"b":2,"a":1})"));
    CHECK_FALSE(read.take("A", R"({"b":2,"a":1})", true));
    CHECK_FALSE(read.take("B", R"({"c":[1.0]})"));
}

TEST_CASE("a success after a retry counts, and a task that was dropped has no result") {
    Read read(begun + failed(0, R"(,"retry_task_id":1)") +
              submitted(1, "A", "null", retry(0), R"({"a":1,"b":2})") + succeeded(1, "[2]") +
              submitted(2, "B", "1", spawned) + failed(2, ""));
    CHECK(read.take("A", R"({"a":1,"b":2})")->task == TaskId{1});
    CHECK_FALSE(read.take("B", "{}"));
    CHECK_FALSE(read.results.find(read.task("B", "{}")));
    auto unsuccessful = read.results.find_unsuccessful(read.task("B", "{}"));
    REQUIRE(unsuccessful);
    CHECK(unsuccessful->task == TaskId{2});
    CHECK(read.log_.substr(*unsuccessful->dropped_at).starts_with(failed(2, "")));
}

TEST_CASE("equal tasks take the results in their order, and then the last one again") {
    std::string log = config_line;
    for (int i : {0, 1, 2})
        log += submitted(i, "A", "null", initial);
    log += succeeded(2, "[]") + submitted(3, "A", "null", finally_for(2)) + succeeded(0, "[4]") +
           submitted(4, "B", "0", spawned);
    Read read(log);
    CHECK(read.take("A", "{}")->task == TaskId{2});
    CHECK(read.take("A", "{}")->task == TaskId{0});
    CHECK(read.take("A", "{}")->task == TaskId{0});
    Read again(log);
    again.results.mark_taken({TaskId{2}, TaskId{99}});
    CHECK(again.take("A", "{}")->task == TaskId{0});
}

TEST_CASE("a finally has results of its own") {
    Read read(begun + succeeded(0, "[]") + submitted(1, "A", "null", finally_for(0), R"({"a":1,"b":2})") +
              succeeded(1, "[2]") + submitted(2, "B", "1", spawned));
    auto found = read.take("A", R"({"a":1,"b":2})", true);
    REQUIRE(found);
    CHECK(found->task == TaskId{1});
    CHECK(found->next.size() == 1);
    CHECK(read.take("A", R"({"a":1,"b":2})")->next.empty());
}

TEST_CASE("large values are read from the log when they are needed, as they were written") {
    std::string large = R"({"text":")" + std::string(100'000, 'x') + R"(","n":1.0})";
    Read read(begun + succeeded(0, "[1,2]") + submitted(1, "B", "0", spawned, large) +
              submitted(2, "B", "0", spawned));
    CHECK(read.lines_read == 0);
    auto found = read.take("A", R"({"a":1,"b":2})");
    REQUIRE(found->next.size() == 2);
    CHECK(*found->next[0].value == large);
    CHECK(read.lines_read == 1);
}
