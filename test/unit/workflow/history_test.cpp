// What is left out of a history so that dropped tasks are tried again.
#include "workflow/history.hpp"

#include "run_helper.hpp"
#include "run_model.hpp"
#include "seeds.hpp"
#include "workflow/bounds.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace workflow_test;

namespace {

History history_of(const Group& entries) {
    History history;
    for (const Entry& entry : entries)
        history.add(entry);
    return history;
}

std::vector<std::uint32_t> dropped(const History& history) {
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < history.nodes().size(); ++i)
        if (history.nodes()[i].is_dropped) indices.push_back(i);
    return indices;
}

Group remaining(const Group& entries, const History& history, const std::vector<std::uint32_t>& retried) {
    LeftOut left_out(history, retried);
    Group remaining;
    for (const Entry& entry : entries)
        if (!left_out.contains(entry)) remaining.push_back(entry);
    return remaining;
}

Run retry_of(const Run& earlier, const std::vector<std::uint32_t>& retried) {
    Run run(earlier.config);
    run.apply_all(remaining(earlier.history, history_of(earlier.history), retried));
    return run;
}

Run retry_of(const Run& earlier) {
    return retry_of(earlier, dropped(history_of(earlier.history)));
}

config::Step with_finally(config::Step step) {
    step.finally = config::Command{"true"};
    return step;
}

TaskId take_named(Run& run, const std::string& step) {
    TaskId id = run.take();
    REQUIRE(run.config.step(run.task(id).step).name == step);
    return id;
}

}  // namespace

TEST_CASE("a dropped task is ready again, with all its retries, and what is done stays done") {
    auto failing = command_step("A");
    failing.options.max_retries = 1;
    Run earlier(workflow_of({failing, command_step("B")}));
    earlier.begin({"A", "B"});
    TaskId a = take_named(earlier, "A");
    TaskId b = take_named(earlier, "B");
    earlier.fail(a);
    earlier.succeed(b, {"B"});
    earlier.fail(take_named(earlier, "A"));
    earlier.succeed(take_named(earlier, "B"));
    REQUIRE(earlier.state.over());

    Run run = retry_of(earlier);
    CHECK(run.counters("B").done == 2);
    CHECK(run.counters("A").dropped == 0);
    REQUIRE(run.state.tasks.size() == 1);
    CHECK(run.take() == a);
    auto again = submitted(run.fail(a));
    REQUIRE(again.size() == 1);
    CHECK(run.succeed(run.take()).size() == 1);
    CHECK(run.state.over());
}

TEST_CASE("a finally that ran because of a dropped task runs again, and what it had started is left out") {
    Run earlier(
        workflow_of({with_finally(command_step("Root")), command_step("Child"), command_step("Report")}));
    earlier.begin({"Root"});
    TaskId root = earlier.take();
    earlier.succeed(root, {"Child", "Child"});
    earlier.fail(take_named(earlier, "Child"));
    TaskId good = take_named(earlier, "Child");
    auto finally = submitted(earlier.succeed(good));
    REQUIRE(finally.size() == 1);
    earlier.succeed(earlier.take(), {"Report"});
    earlier.succeed(take_named(earlier, "Report"));
    REQUIRE(earlier.state.over());

    Run run = retry_of(earlier);
    CHECK(run.counters("Root").finally_done == 0);
    CHECK(run.counters("Report").submitted == 0);
    CHECK(run.counters("Child").done == 1);
    auto due = submitted(run.succeed(take_named(run, "Child")));
    REQUIRE(due.size() == 1);
    CHECK(std::get<Finally>(due[0].origin).finally_for == root);
}

TEST_CASE("of two dropped tasks, the one that is not chosen stays dropped") {
    Run earlier(workflow_of({command_step("A"), command_step("B")}));
    earlier.begin({"A", "B"});
    earlier.fail(earlier.take());
    earlier.fail(earlier.take());
    Run run = retry_of(earlier, {1});
    CHECK(run.counters("A").dropped == 1);
    CHECK(take_named(run, "B").value == 1);
}

TEST_CASE("a dropped finally is tried again, and so is every finally above it") {
    Run earlier(workflow_of({with_finally(command_step("Outer")), with_finally(command_step("Inner"))}));
    earlier.begin({"Outer"});
    earlier.succeed(earlier.take(), {"Inner"});
    earlier.succeed(earlier.take());  // its finally is due
    earlier.fail(earlier.take());     // and is dropped
    earlier.succeed(earlier.take());  // the outer finally
    REQUIRE(earlier.state.over());

    Run run = retry_of(earlier);
    CHECK(run.counters("Inner").done == 1);
    TaskId inner = run.take();
    CHECK(run.task(inner).finally_for.has_value());
    run.succeed(inner);
    run.succeed(run.take());
    CHECK(run.state.over());
    CHECK(run.counters("Outer").finally_done == 1);
    CHECK(run.counters("Inner").finally_dropped == 0);
}

namespace {

config::WorkflowConfig random_workflow(Random& random) {
    std::vector<config::Step> steps;
    for (int i = 0; i < 3; ++i) {
        auto name = std::to_string(i);
        auto step = random.one_in(4) ? human_step(name) : command_step(name);
        if (random.one_in(2)) step = with_finally(std::move(step));
        step.options.max_retries = random.below(3);
        steps.push_back(std::move(step));
    }
    return workflow_of(std::move(steps));
}

std::vector<std::string> random_children(Random& random, const Run& run) {
    std::vector<std::string> names;
    if (run.state.next_id > 60) return names;
    for (auto count = random.below(4); count > 0; --count)
        names.push_back(std::to_string(random.below(3)));
    return names;
}

// Takes a task that waits for a person, or one that runs, out of `running`. None if there is none.
std::optional<TaskId> next_to_end(const Run& run, std::vector<TaskId>& running, Random& random) {
    std::size_t count = running.size() + run.state.asked.size();
    if (count == 0) return std::nullopt;
    std::size_t at = random.below(count);
    if (at >= running.size()) {
        auto asked = run.state.asked.begin();
        std::advance(asked, at - running.size());
        return *asked;
    }
    TaskId task = running[at];
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
    return task;
}

// Takes tasks and ends them, also those that wait for a person, in any order, up to `most` ends.
void play(Run& run, Random& random, std::uint32_t most, bool may_fail) {
    std::vector<TaskId> running;
    while (most-- > 0) {
        while (running.empty() || random.one_in(2)) {
            auto task = take_ready(run.config, run.state);
            if (!task) break;
            running.push_back(*task);
        }
        auto next = next_to_end(run, running, random);
        if (!next) return;
        TaskId task = *next;
        bool is_asked = run.state.asked.contains(task);
        if (auto past = past_bound(run.config.bounds, run.task(task), false))
            run.end(task, std::move(*past));
        else if (may_fail && random.one_in(3))
            run.fail(task, is_asked ? Failure::Kind::rejected : Failure::Kind::command_failed);
        else
            run.succeed(task, random_children(random, run));
    }
}

// What a history says, by the first attempt of each task: an oracle that shares nothing with History.
struct Told {
    std::map<TaskId, TaskId> first_of;
    std::map<TaskId, std::optional<TaskId>> parent_of;
    std::map<TaskId, TaskId> owner_of;  // of a finally
    std::map<TaskId, config::StepId> step_of;
    std::map<TaskId, std::size_t> end_of;
    std::set<TaskId> dropped, succeeded;
    std::set<TaskId> untried;  // dropped past a bound, before the first attempt

    explicit Told(const Group& entries) {
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (auto* submitted = std::get_if<TaskSubmitted>(&entries[i]))
                submit(*submitted);
            else
                complete(std::get<TaskCompleted>(entries[i]), i);
        }
    }
    void submit(const TaskSubmitted& entry) {
        if (auto* retry = std::get_if<Retry>(&entry.origin)) {
            first_of[entry.task] = first_of.at(retry->replaces);
            return;
        }
        first_of[entry.task] = entry.task;
        step_of[entry.task] = entry.step;
        parent_of[entry.task] = entry.parent ? std::optional(first_of.at(*entry.parent)) : std::nullopt;
        if (auto* finally = std::get_if<Finally>(&entry.origin))
            owner_of[entry.task] = first_of.at(finally->finally_for);
    }
    void complete(const TaskCompleted& entry, std::size_t at) {
        auto* failed = std::get_if<Failed>(&entry.outcome);
        if (failed && failed->retry) return;
        TaskId task = first_of.at(entry.task);
        end_of[task] = at;
        (failed ? dropped : succeeded).insert(task);
        if (failed && failed->failure().kind == Failure::Kind::past_bound && entry.task == task)
            untried.insert(task);
    }
    // These, and all tasks above them.
    std::set<TaskId> with_ancestors(const std::set<TaskId>& tasks) const {
        std::set<TaskId> found;
        for (TaskId task : tasks)
            for (std::optional<TaskId> at = task; at && found.insert(*at).second;)
                at = parent_of.at(*at);
        return found;
    }
    // Whether the task ran only because one of these had ended, of which all tasks above them are given as
    // well: it is a finally of one of them, or is below such a finally.
    bool follows_from(TaskId task, const std::set<TaskId>& ended) const {
        for (std::optional<TaskId> at = task; at; at = parent_of.at(*at))
            if (auto owner = owner_of.find(*at); owner != owner_of.end() && ended.contains(owner->second))
                return true;
        return false;
    }
};

// Each task and each finally has ended once, and a finally after everything below its task.
void check_complete(const Run& run, const std::set<TaskId>& may_be_dropped) {
    Told told(run.history);
    must(run.state.over(), "the run ends");
    std::map<TaskId, std::vector<TaskId>> finallys;
    for (const auto& [finally, owner] : told.owner_of)
        finallys[owner].push_back(finally);
    for (const auto& [task, end] : told.end_of) {
        must(!told.dropped.contains(task) || may_be_dropped.contains(task), "nothing more is dropped");
        if (told.owner_of.contains(task)) continue;
        const auto& step = run.config.step(told.step_of.at(task));
        bool has_finally = step.finally && !told.untried.contains(task);
        must(finallys[task].size() == (has_finally ? 1 : 0), "each finally is there once");
    }
    for (const auto& [task, end] : told.end_of)
        for (auto above = told.parent_of.at(task); above; above = told.parent_of.at(*above))
            if (auto found = finallys.find(*above); found != finallys.end())
                for (TaskId finally : found->second)
                    must(end < told.end_of.at(finally), "a finally comes after everything below its task");
}

void check_seed(std::uint32_t seed) {
    Random random(seed);
    Run earlier(random_workflow(random));
    if (random.one_in(3)) earlier.config.bounds.max_tasks = 1 + random.below(20);
    if (random.one_in(3)) earlier.config.bounds.max_depth = 1 + random.below(4);
    earlier.begin({"0", "1"});
    play(earlier, random, random.one_in(2) ? 1000 : random.below(60), true);

    Told before(earlier.history);
    History history = history_of(earlier.history);
    std::set<TaskId> chosen;
    std::vector<std::uint32_t> retried;
    for (std::uint32_t index : dropped(history))
        if (!random.one_in(4)) {
            retried.push_back(index);
            chosen.insert(history.nodes()[index].first);
        }
    std::set<TaskId> ended = before.with_ancestors(chosen);
    Run run = retry_of(earlier, retried);
    Told taken_over(run.history);
    for (TaskId task : before.succeeded)
        must(taken_over.succeeded.contains(task) == !before.follows_from(task, ended),
             "what has succeeded is taken over unless it follows from what is tried again");
    for (TaskId task : before.dropped)
        must(
            taken_over.dropped.contains(task) == !(chosen.contains(task) || before.follows_from(task, ended)),
            "what was dropped and is not chosen stays dropped");
    auto stay_dropped = taken_over.dropped;
    run.config.bounds = {};
    for (const Group& due : decide_due(run.state))
        run.apply_all(due);
    play(run, random, 1'000'000, false);
    check_complete(run, stay_dropped);
}

}  // namespace

TEST_CASE("random histories whose dropped tasks are tried again end as if these had not been dropped") {
    for_each_seed(scaled(5'000, 1'000), {}, check_seed);
}
