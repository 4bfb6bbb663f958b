// Tasks that wait for a person.
#include "group_text.hpp"
#include "workflow/bounds.hpp"
#include "workflow/persons_answer.hpp"

#include <catch2/catch.hpp>

using namespace workflow_test;

namespace {

using Ids = std::set<TaskId>;

// "Ask" leads to "Work", which has a limit and a key like it; both have the finally or none.
config::WorkflowConfig asking(bool has_finally) {
    auto ask = human_step("Ask");
    auto work = command_step("Work");
    for (auto* step : {&ask, &work}) {
        step->next = {{0}, {1}};
        step->options.max_concurrency = 1;
        step->options.serial_key = config::ValuePlace{"", {}};
        step->options.max_retries = 1;
        if (has_finally) step->finally = config::Command{"true"};
    }
    auto config = workflow_of({ask, work});
    config.max_concurrency = 1;
    return config;
}

std::vector<config::NewTask> tasks(const Run& run, const std::vector<std::string>& steps) {
    std::vector<config::NewTask> tasks;
    for (const auto& step : steps)
        tasks.push_back({*run.config.find(step), "7"});
    return tasks;
}

Run replay_of(const Run& run) {
    Run replayed(run.config);
    replayed.apply_all(run.history);
    return replayed;
}

}  // namespace

TEST_CASE("an answer, a rejection and an expiry end a task that waits, and none is tried again") {
    struct Row {
        AttemptResult result;
        std::string group, with_finally;
    };
    Run shape(asking(false));
    Failure permanent = failure(Failure::Kind::past_bound);
    const Row rows[] = {
        {tasks(shape, {"Work", "Ask"}), "0 succeeded: 1 2; 1 step1 7 child of 0; 2 step0 7 child of 0",
         "0 succeeded: 1 2; 1 step1 7 child of 0; 2 step0 7 child of 0"},
        {tasks(shape, {}), "0 succeeded:", "0 succeeded:; 1 step0 {} finally of 0"},
        {failure(Failure::Kind::rejected), "0 failed by Rejected, dropped",
         "0 failed by Rejected, dropped; 1 step0 {} finally of 0"},
        {expired_failure(), "0 failed by Expired, dropped",
         "0 failed by Expired, dropped; 1 step0 {} finally of 0"},
        {permanent, "0 failed by PastBound, dropped", "0 failed by PastBound, dropped"},
    };
    for (const Row& row : rows)
        for (bool has_finally : {false, true}) {
            Run run(asking(has_finally));
            run.begin({"Ask"});
            REQUIRE(run.state.asked == Ids{{0}});
            CHECK(text_of(run.answer({0}, row.result)) == (has_finally ? row.with_finally : row.group));
            CHECK_FALSE(run.state.asked.contains({0}));
            CHECK(run.state.running == 0);
            CHECK(replay_of(run).state.asked == run.state.asked);
        }
}

TEST_CASE("only a person's answer says who gave it") {
    Run run(asking(false));
    run.begin({"Ask", "Ask"});
    auto answered = std::get<TaskCompleted>(run.answer({0}, tasks(run, {})).front());
    REQUIRE(answered.answered);
    CHECK(answered.answered->user == "ann");
    CHECK_FALSE(std::get<TaskCompleted>(run.end({1}, expired_failure()).front()).answered);
    CHECK(run.counters("Ask").done == 1);
    CHECK(run.counters("Ask").dropped == 1);
}

TEST_CASE("a second answer, or an end after the answer, contradicts the history") {
    Run run(asking(true));
    run.begin({"Ask", "Ask"});
    Group first = decide_answered(run.config, run.state, {0}, tasks(run, {"Work"}), {"ann"});
    Group second = decide_answered(run.config, run.state, {0}, failure(Failure::Kind::rejected), {"bob"});
    run.apply_all(first);
    State before = run.state;
    CHECK(apply(run.config, run.state, second.front()).has_error());
    CHECK(run.state.asked == before.asked);
    CHECK(run.counters("Ask").dropped == 0);
}

TEST_CASE("a task that waits for a person is never started and keeps nobody waiting") {
    auto config = asking(false);
    config.steps[0].options.priority = 3;
    Run run(config);
    run.begin({"Ask", "Work", "Ask", "Work"});
    CHECK(run.state.asked == Ids{{0}, {2}});
    CHECK(run.state.running == 0);
    CHECK(run.take() == TaskId{1});
    CHECK_FALSE(take_ready(run.config, run.state));
    run.succeed({1});
    CHECK(run.take() == TaskId{3});
    run.succeed({3});
    CHECK_FALSE(take_ready(run.config, run.state));
    CHECK_FALSE(run.state.over());
    run.answer({0}, tasks(run, {"Ask"}));
    CHECK(run.state.asked == Ids{{2}, {4}});
    run.answer({4}, tasks(run, {}));
    run.answer({2}, tasks(run, {}));
    CHECK(run.state.over());
}

TEST_CASE("the finally of a Human step is done like any other, and is tried again") {
    Run run(asking(true));
    run.begin({"Ask"});
    run.answer({0}, failure(Failure::Kind::rejected));
    CHECK(run.state.asked.empty());
    CHECK(run.take() == TaskId{1});
    CHECK(text_of(run.fail({1})) == "1 failed by CommandFailed, retry 2; 2 step0 {} retry of 1");
    CHECK(run.state.asked.empty());
    CHECK(run.take() == TaskId{2});
    run.succeed({2}, {"Ask"});
    CHECK(run.state.asked == Ids{{3}});
}

TEST_CASE("a task that waits for a person is dropped past a bound, without its finally") {
    Run run(asking(true));
    run.begin({"Ask"});
    auto past = past_bound({}, run.task({0}), true);
    REQUIRE(past);
    CHECK(text_of(run.end({0}, *past)) == "0 failed by PastBound, dropped");
    CHECK(run.state.over());
    CHECK(run.counters("Ask").past_bound[2] == 1);
}

TEST_CASE("an answer has a response that fits the step, or is a rejection with a reason") {
    Run run(asking(false));
    const config::Step& step = run.config.steps[0];
    auto wrong = result_of(run.config, step, {{0}, "ann", R"([{"kind":"Nowhere","value":1}])"});
    CHECK(wrong.has_error());
    CHECK(result_of(run.config, step, {{0}, "ann", "{"}).has_error());
    auto right = result_of(run.config, step, {{0}, "ann", R"([{"kind":"Work","value":1.0}])"}).value();
    const auto& next = std::get<std::vector<config::NewTask>>(right);
    REQUIRE(next.size() == 1);
    CHECK(next[0].value == "1.0");
    for (const char* reason : {"", "too long"}) {
        auto rejected = std::get<Failure>(result_of(run.config, step, {{0}, "ann", {}, reason}).value());
        CHECK(rejected.kind == Failure::Kind::rejected);
        CHECK(rejected.message == (*reason ? "rejected by ann: too long" : "rejected by ann"));
    }
}
