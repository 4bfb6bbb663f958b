#include "run_helper.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <utility>

using namespace workflow_test;

TEST_CASE("ready tasks start in the order of their submission, and a retry goes to the back") {
    auto step = command_step("A");
    step.options.max_retries = 1;
    Run run(workflow_of({step}));
    run.begin({"A", "A", "A"});
    TaskId first = run.take();
    CHECK(first == TaskId{0});
    run.fail(first);
    CHECK(run.take() == TaskId{1});
    CHECK(run.take() == TaskId{2});
    CHECK(run.take() == TaskId{3});
    CHECK_FALSE(take_ready(run.config, run.state));
}

TEST_CASE("max_concurrency tasks run at once, no more") {
    auto config = workflow_of({command_step("A")});
    config.max_concurrency = 2;
    Run run(config);
    run.begin({"A", "A", "A"});
    TaskId first = run.take();
    run.take();
    CHECK_FALSE(take_ready(run.config, run.state));
    CHECK(run.state.running == 2);
    run.succeed(first);
    CHECK(run.take() == TaskId{2});
}

TEST_CASE("a task whose attempt is not made is ready again, where it was") {
    auto config = workflow_of({command_step("A")});
    config.max_concurrency = 1;
    Run run(config);
    run.begin({"A", "A"});
    TaskId first = run.take();
    put_back(run.state, first);
    CHECK(run.state.running == 0);
    CHECK(run.take() == first);
    run.succeed(first);
    CHECK(run.take() == TaskId{1});
}

TEST_CASE("tasks that are put back in any order start in the order in which they became ready") {
    Run run(workflow_of({command_step("A"), pool_step("P")}));
    run.begin({"A", "P", "A", "P", "A", "P"});
    for (std::uint64_t i = 0; i < 5; ++i)
        run.take();
    for (std::uint64_t i : {2U, 0U, 3U, 4U, 1U})
        put_back(run.state, TaskId{i});
    for (std::uint64_t i = 0; i < 6; ++i)
        CHECK(run.take() == TaskId{i});
}

TEST_CASE("the order goes across steps of both kinds") {
    Run run(workflow_of({command_step("C"), pool_step("P")}));
    run.begin({"C", "P", "P", "C", "P"});
    for (std::uint64_t i = 0; i < 5; ++i)
        CHECK(run.take() == TaskId{i});
}

TEST_CASE("without local processes to be had, tasks that need none first go on") {
    auto with_pre = pool_step("Pre");
    with_pre.pre = config::Command{"cat"};
    Run run(workflow_of({command_step("C"), pool_step("P"), with_pre}));
    run.begin({"C", "Pre", "P"});
    CHECK(take_ready(run.config, run.state, false) == TaskId{2});
    CHECK_FALSE(take_ready(run.config, run.state, false));
    CHECK(take_ready(run.config, run.state, true) == TaskId{0});
}

namespace {

config::Step with_key(config::Step step, std::vector<std::string> tokens) {
    step.options.serial_key = config::ValuePlace{"", std::move(tokens)};
    return step;
}

void begin(Run& run, const std::vector<std::pair<std::string, std::string>>& tasks) {
    std::vector<config::NewTask> initial;
    for (const auto& [step, value] : tasks)
        initial.push_back({*run.config.find(step), value});
    run.apply_all(decide_initial(run.state, std::move(initial)));
}

}  // namespace

TEST_CASE("a step's limit holds back its own tasks only") {
    auto limited = command_step("L");
    limited.options.max_concurrency = 1;
    Run run(workflow_of({limited, command_step("A")}));
    run.begin({"L", "L", "A", "L"});
    CHECK(run.take() == TaskId{0});
    CHECK(run.take() == TaskId{2});
    CHECK_FALSE(take_ready(run.config, run.state));
    run.succeed(TaskId{0});
    CHECK(run.take() == TaskId{1});
    put_back(run.state, TaskId{1});
    CHECK(run.take() == TaskId{1});
}

TEST_CASE("a finally counts for the limit of its step, and has its priority and its key") {
    auto step = with_key(pool_step("F"), {});
    step.finally = config::Command{"echo []"};
    step.options.max_concurrency = 1;
    step.options.priority = 1;
    auto other = with_key(command_step("Other"), {});
    Run run(workflow_of({step, other}));
    begin(run, {{"F", "1"}, {"Other", "1"}, {"F", "2"}});
    run.succeed(run.take());
    CHECK(run.take() == TaskId{2});
    CHECK(run.take() == TaskId{1});  // the finally may not start
    run.succeed(TaskId{2});
    CHECK(run.take() == TaskId{4});
    run.succeed(TaskId{4});
    CHECK_FALSE(take_ready(run.config, run.state));
    run.succeed(TaskId{1});
    CHECK(run.take() == TaskId{3});
}

TEST_CASE("the steps with the highest priority are first, in both lanes") {
    auto low = pool_step("Low");
    low.options.priority = -1;
    auto high = command_step("High");
    high.options.priority = 7;
    Run run(workflow_of({low, pool_step("P"), command_step("C"), high}));
    run.begin({"Low", "C", "P", "High", "Low", "High"});
    for (std::uint64_t id : std::vector<std::uint64_t>{3, 5, 1, 2, 0, 4})
        CHECK(run.take() == TaskId{id});
}

TEST_CASE("a task of a high priority that may not start yet lets others start") {
    auto high = command_step("High");
    high.options.priority = 1;
    Run run(workflow_of({high, pool_step("P")}));
    run.begin({"P", "High"});
    CHECK(take_ready(run.config, run.state, true, 1) == TaskId{0});
    CHECK_FALSE(take_ready(run.config, run.state, true, 1));
    CHECK_FALSE(take_ready(run.config, run.state, false));
    CHECK(run.take() == TaskId{1});
}

TEST_CASE("tasks with one key run one after another, whatever their steps are") {
    Run run(workflow_of({with_key(command_step("A"), {"file"}), with_key(pool_step("B"), {"at", "0"})}));
    begin(run, {{"A", R"({"file":"x"})"},
                {"B", R"({"at":["x"]})"},
                {"A", R"({"file":"y"})"},
                {"A", R"({"file":"x","n":2})"},
                {"B", R"({"at":[]})"}});
    CHECK(run.take() == TaskId{0});
    CHECK(run.take() == TaskId{2});
    CHECK(run.take() == TaskId{4});
    CHECK_FALSE(take_ready(run.config, run.state));
    run.succeed(TaskId{0});
    CHECK(run.take() == TaskId{1});
    CHECK_FALSE(take_ready(run.config, run.state));
    run.fail(TaskId{1});
    CHECK(run.take() == TaskId{3});
}

TEST_CASE("keys are compared as JSON values") {
    Run run(workflow_of({with_key(command_step("A"), {})}));
    begin(run, {{"A", R"({"a":"\u0078","b":[1]})"},
                {"A", R"({"b": [1], "a": "x"})"},
                {"A", R"({"b":[1.0],"a":"x"})"},
                {"A", "null"},
                {"A", "null"}});
    CHECK(run.take() == TaskId{0});
    CHECK(run.take() == TaskId{2});
    CHECK(run.take() == TaskId{3});
    CHECK_FALSE(take_ready(run.config, run.state));
}

TEST_CASE("a retry waits without its key, and then for it") {
    auto step = with_key(command_step("A"), {});
    step.options.max_retries = 1;
    step.options.retry_backoff.emplace().initial = std::chrono::seconds(1);
    Run run(workflow_of({step}));
    begin(run, {{"A", "1"}, {"A", "1"}});
    run.fail(run.take());
    delay(run.state, TaskId{2});
    CHECK(run.take() == TaskId{1});
    make_due(run.state, TaskId{2});
    CHECK_FALSE(take_ready(run.config, run.state));
    run.succeed(TaskId{1});
    CHECK(run.take() == TaskId{2});
}

TEST_CASE("a task that was looked at and is put off is ready again with its new turn") {
    Run run(workflow_of({with_key(command_step("A"), {})}));
    begin(run, {{"A", "1"}, {"A", "1"}, {"A", "1"}});
    CHECK(run.take() == TaskId{0});
    CHECK_FALSE(take_ready(run.config, run.state));
    delay(run.state, TaskId{1});
    make_due(run.state, TaskId{1});
    run.succeed(TaskId{0});
    CHECK(run.take() == TaskId{2});
    run.succeed(TaskId{2});
    CHECK(run.take() == TaskId{1});
}

// Looking through all that wait for each task that starts would take minutes.
TEST_CASE("200,000 tasks that wait for a step or a key keep nobody waiting") {
    auto limited = command_step("L");
    limited.options.max_concurrency = 1;
    Run run(workflow_of({limited, with_key(command_step("K"), {}), command_step("A")}));
    std::vector<std::pair<std::string, std::string>> tasks;
    for (const char* step : {"L", "K", "A"})
        tasks.insert(tasks.end(), 200'000, {step, "1"});
    begin(run, tasks);
    CHECK(run.take() == TaskId{0});
    CHECK(run.take() == TaskId{200'000});
    for (std::uint64_t id = 400'000; id < 600'000; ++id)
        run.succeed(run.take());
    CHECK_FALSE(take_ready(run.config, run.state));
    run.succeed(TaskId{0});
    run.succeed(TaskId{200'000});
    for (std::uint64_t id = 1; id < 200'000; ++id) {
        run.succeed(run.take());
        run.succeed(run.take());
    }
    CHECK(run.state.over());
}

TEST_CASE("a success submits its children, in order, and is over") {
    Run run(workflow_of({command_step("A"), command_step("B")}));
    run.begin({"A"});
    auto group = run.succeed(run.take(), {"B", "A", "B"});
    REQUIRE(group.size() == 4);
    CHECK(std::get<Succeeded>(std::get<TaskCompleted>(group[0]).outcome).spawned ==
          std::vector<TaskId>{{1}, {2}, {3}});
    for (const auto& child : submitted(group))
        CHECK(child.parent == TaskId{0});
    CHECK(run.state.tasks.size() == 3);
    CHECK(run.counters("B").submitted == 2);
    CHECK(run.counters("A").done == 1);
}

TEST_CASE("a fan-out of 70,000 and a chain of 100,000 work, and leave nothing behind") {
    Run run(workflow_of({command_step("A")}));
    run.begin({"A"});
    run.succeed(run.take(), std::vector<std::string>(70'000, "A"));
    CHECK(run.state.tasks.size() == 70'000);
    for (int i = 0; i < 69'999; ++i)
        run.succeed(run.take());
    for (int i = 0; i < 100'000; ++i)
        run.succeed(run.take(), {"A"});
    CHECK(run.state.tasks.size() == 1);
    run.succeed(run.take());
    CHECK(run.state.over());
    CHECK(run.counters("A").done == 170'001);
}
