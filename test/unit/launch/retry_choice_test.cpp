// Which dropped tasks `barnum retry` tries again.
#include "launch/retry_choice.hpp"

#include "run_helper.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace workflow_test;
using launch::RetryChoice;
using Indices = std::vector<std::uint32_t>;

// A, B and B; the first and the last are dropped.
struct Ended {
    Run run{workflow_of({command_step("A"), command_step("B")})};
    History history;

    Ended() {
        run.begin({"A", "B", "B"});
        for (int i = 0; i < 3; ++i) {
            TaskId id = run.take();
            if (id.value == 1)
                run.succeed(id, {});
            else
                run.fail(id);
        }
        for (const Entry& entry : run.history)
            history.add(entry);
    }

    Indices chosen(const RetryChoice& choice) const {
        return launch::chosen_tasks(choice, history, run.config).value();
    }
    std::string refusal(const RetryChoice& choice) const {
        return launch::chosen_tasks(choice, history, run.config).error().message;
    }
};

}  // namespace

TEST_CASE("all dropped tasks are chosen unless some are named") {
    CHECK(Ended().chosen({}) == Indices{0, 2});
    CHECK(Ended().chosen({{2}, {}}) == Indices{2});
    CHECK(Ended().chosen({{}, "A"}) == Indices{0});
}

TEST_CASE("a choice that cannot be meant names the tasks that can") {
    Ended ended;
    CHECK(ended.refusal({{7}, {}}) == "there is no task 7 in the run");
    CHECK(ended.refusal({{1}, {}}) == "task 1 was not dropped; the dropped tasks are 0 (A), 2 (B)");
    CHECK_THAT(ended.refusal({{}, "C"}), Catch::Contains("\"C\""));
}

TEST_CASE("a step without dropped tasks is refused") {
    Run run{workflow_of({command_step("A"), command_step("B")})};
    run.begin({"A", "B"});
    run.fail(run.take());
    run.succeed(run.take());
    History history;
    for (const Entry& entry : run.history)
        history.add(entry);
    auto chosen = launch::chosen_tasks({{}, "B"}, history, run.config);
    REQUIRE(chosen.has_error());
    CHECK(chosen.error().message == "no task of step \"B\" was dropped; the only dropped task is 0 (A)");
}

TEST_CASE("a history without dropped tasks has nothing to choose from") {
    Run run{workflow_of({command_step("A")})};
    run.begin({"A"});
    run.succeed(run.take());
    History history;
    for (const Entry& entry : run.history)
        history.add(entry);
    CHECK(launch::chosen_tasks({}, history, run.config).value().empty());
}
