// The descendants of a task: against the tree of the whole history, for each `finally` of random runs.
#include "statelog/descendants.hpp"

#include "run_helper.hpp"
#include "seeds.hpp"
#include "statelog/record.hpp"
#include "statelog/usage_note.hpp"
#include "workflow/history.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <compare>

using namespace workflow_test;

namespace {

struct Row {
    TaskId task;
    TaskId parent;
    config::StepId step;
    bool is_dropped = false;

    friend auto operator<=>(const Row&, const Row&) = default;
};

std::vector<std::string> lines_of(const config::WorkflowConfig& config, const Group& entries) {
    std::vector<std::string> lines;
    for (const Entry& entry : entries) {
        std::string& line = lines.emplace_back();
        statelog::append_record(line, config, entry, {});
        line.pop_back();
    }
    return lines;
}

struct Read {
    std::vector<Row> rows;
    bool is_task_dropped = false;
};

// What is read from the entries of the history from that one on.
Read read(const Run& run, TaskId task, std::size_t from) {
    Read result;
    statelog::Descendants descendants(run.config, task);
    descendants.on_ended = [&](const statelog::Descendant& row) {
        result.rows.push_back({row.task, row.parent, row.step, row.failure != nullptr});
        REQUIRE(*row.value == "1.0");  // as Run::succeed() gives it
    };
    for (const std::string& line :
         lines_of(run.config, {run.history.begin() + static_cast<std::ptrdiff_t>(from), run.history.end()}))
        REQUIRE(descendants.take(line).has_value());
    std::ranges::sort(result.rows);
    result.is_task_dropped = descendants.is_task_dropped();
    return result;
}

// The same, by the tree of all tasks.
std::vector<Row> expected_rows(const History& history, std::uint32_t root) {
    const auto& nodes = history.nodes();
    auto above = [&](const History::Node& node) -> std::optional<std::uint32_t> {
        if (!node.parent || !nodes[*node.parent].finally_for) return node.parent;
        return nodes[*node.parent].finally_for;
    };
    std::vector<Row> rows;
    for (const History::Node& node : nodes) {
        if (node.finally_for) continue;
        auto at = above(node);
        while (at && *at != root)
            at = above(nodes[*at]);
        if (at) rows.push_back({node.last, nodes[*above(node)].last, node.step, node.is_dropped});
    }
    std::ranges::sort(rows);
    return rows;
}

std::size_t end_of(const Run& run, TaskId task) {
    auto found = std::ranges::find_if(run.history, [&](const Entry& entry) {
        const auto* completed = std::get_if<TaskCompleted>(&entry);
        return completed && completed->task == task;
    });
    return static_cast<std::size_t>(found - run.history.begin());
}

// Returns the number of rows.
std::size_t check(const Run& run, TaskId task) {
    History history;
    for (const Entry& entry : run.history)
        history.add(entry);
    std::uint32_t root = *history.find(task);
    auto expected = expected_rows(history, root);
    for (std::size_t from : {std::size_t{0}, end_of(run, task)}) {
        Read found = read(run, task, from);
        REQUIRE(found.rows == expected);
        REQUIRE(found.is_task_dropped == history.nodes()[root].is_dropped);
    }
    return expected.size();
}

config::WorkflowConfig random_config(Random& random) {
    std::vector<config::Step> steps;
    for (std::uint32_t i = 0; i < 3; ++i) {
        auto step = command_step(std::to_string(i));
        step.options.max_retries = random.below(2);
        if (random.one_in(2)) step.gather = config::Gather{{random.below(3)}, {{random.below(3)}}};
        steps.push_back(std::move(step));
    }
    return workflow_of(std::move(steps));
}

std::size_t play(std::uint32_t seed) {
    Random random(seed);
    Run run(random_config(random));
    run.begin({"0", "1"});
    std::size_t rows = 0;
    std::vector<TaskId> running;
    while (!run.state.over()) {
        while (auto task = take_ready(run.config, run.state))
            running.push_back(*task);
        auto at = running.begin() + static_cast<std::ptrdiff_t>(random.below(running.size()));
        TaskId task = *at;
        running.erase(at);
        std::vector<std::string> next;
        for (auto n = random.below(4); n > 0 && run.state.next_id < 60; --n)
            next.push_back(std::to_string(random.below(3)));
        Group group = random.one_in(3) ? run.fail(task) : run.succeed(task, next);
        const auto* last = std::get_if<TaskSubmitted>(&group.back());
        const auto* finally = last ? std::get_if<Finally>(&last->origin) : nullptr;
        if (finally) rows += check(run, finally->finally_for);
    }
    return rows;
}

}  // namespace

TEST_CASE("the descendants of a task are those of the tree, as they ended") {
    std::size_t rows = 0;
    for_each_seed(scaled(400, 200), {}, [&](std::uint32_t seed) { rows += play(seed); });
    CHECK((rows > 1'000 || from_environment("BARNUM_RANDOM_SEED")));
}

TEST_CASE("the end of a task is found in its line") {
    CHECK(statelog::completed_in(R"({"kind":"TaskCompleted","task_id":7,"outcome":{}})") == TaskId{7});
    CHECK_FALSE(statelog::completed_in(R"({"kind":"TaskSubmitted","task_id":7})"));
    CHECK_FALSE(statelog::completed_in(R"({"kind":"TaskCompleted","task_id":"7"})"));
    CHECK_FALSE(statelog::completed_in("{"));
}

TEST_CASE("what an attempt has used so far is no descendant, and no end") {
    auto config = workflow_of({command_step("A")});
    std::string line;
    statelog::append_usage_note(line, {TaskId{0}, {}}, {});
    line.pop_back();
    statelog::Descendants descendants(config, {0});
    CHECK(descendants.take(line).has_value());
    CHECK_FALSE(statelog::completed_in(line));
}

TEST_CASE("a line that is no entry is refused") {
    auto config = workflow_of({command_step("A")});
    statelog::Descendants descendants(config, {0});
    CHECK(descendants.take("{}").has_error());
    CHECK(descendants.take(R"({"kind":"Unheard","task_id":1})").has_error());
}
