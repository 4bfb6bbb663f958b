// Random runs against a model that knows nothing but the rules as people say them: it keeps every task ever
// submitted, and looks through all of them after each end.
#include "run_helper.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <set>

using namespace workflow_test;

namespace {

struct Model {
    struct Node {
        std::uint32_t step = 0;
        std::optional<std::uint64_t> parent;       // the node whose descendant this is
        std::optional<std::uint64_t> finally_for;  // a node
        std::uint32_t failures = 0;
        bool over = false;  // itself, not its descendants
        bool has_had_finally = false;
    };

    const config::WorkflowConfig& config;
    std::vector<Node> nodes;
    std::map<std::uint64_t, std::uint64_t> node_of;  // task id → node: attempts share one

    bool is_below(std::uint64_t node, std::uint64_t ancestor) const {
        for (auto at = nodes[node].parent; at; at = nodes[*at].parent)
            if (*at == ancestor) return true;
        return false;
    }

    bool subtree_over(std::uint64_t node) const {
        if (!nodes[node].over) return false;
        for (std::uint64_t other = 0; other < nodes.size(); ++other)
            if (!nodes[other].over && is_below(other, node)) return false;
        return true;
    }

    bool wants_finally(std::uint64_t node) const {
        return !nodes[node].finally_for && config.steps[nodes[node].step].finally &&
               !nodes[node].has_had_finally;
    }

    void check_submitted(const TaskSubmitted& entry) {
        std::optional<std::uint64_t> parent;
        if (entry.parent) parent = node_of.at(entry.parent->value);
        std::uint64_t node = nodes.size();
        if (auto* retry = std::get_if<Retry>(&entry.origin)) {
            node = node_of.at(retry->replaces.value);
            REQUIRE(nodes[node].failures <= config.steps[nodes[node].step].options.max_retries);
            REQUIRE_FALSE(nodes[node].over);
        } else if (auto* finally = std::get_if<Finally>(&entry.origin)) {
            auto owner = node_of.at(finally->finally_for.value);
            REQUIRE(wants_finally(owner));
            REQUIRE(subtree_over(owner));
            nodes[owner].has_had_finally = true;
            nodes.push_back({entry.step.value, nodes[owner].parent, owner});
        } else {
            nodes.push_back({entry.step.value, parent, std::nullopt});
        }
        REQUIRE(nodes[node].step == entry.step.value);
        REQUIRE(nodes[node].parent == parent);
        REQUIRE(node_of.emplace(entry.task.value, node).second);
    }

    void check(const Group& group) {
        if (auto* completed = std::get_if<TaskCompleted>(&group.front())) {
            Node& node = nodes[node_of.at(completed->task.value)];
            auto* failed = std::get_if<Failed>(&completed->outcome);
            if (failed) ++node.failures;
            node.over = !failed || !failed->retry;
            if (failed && !failed->retry)
                REQUIRE(node.failures == config.steps[node.step].options.max_retries + 1);
        }
        for (const auto& entry : submitted(group))
            check_submitted(entry);
        // None that is due has been forgotten.
        for (std::uint64_t node = 0; node < nodes.size(); ++node)
            if (wants_finally(node)) REQUIRE_FALSE(subtree_over(node));
    }
};

config::WorkflowConfig random_config(std::mt19937& random) {
    std::vector<config::Step> steps;
    for (int i = 0; i < 4; ++i) {
        auto step = random() % 2 ? command_step(std::to_string(i)) : pool_step(std::to_string(i));
        step.options.max_retries = static_cast<std::uint32_t>(random() % 3);
        if (random() % 2) step.finally = config::Command{"true"};
        steps.push_back(step);
    }
    auto config = workflow_of(std::move(steps));
    if (random() % 2) config.max_concurrency = static_cast<std::uint32_t>(1 + random() % 4);
    return config;
}

std::vector<std::string> random_children(std::mt19937& random, std::size_t submitted_so_far) {
    std::vector<std::string> next;
    if (submitted_so_far < 60)
        for (auto count = random() % 4; count > 0; --count)
            next.push_back(std::to_string(random() % 4));
    return next;
}

std::set<TaskId> live_tasks(const State& state) {
    std::set<TaskId> ids;
    for (const auto& [id, task] : state.tasks)
        ids.insert(id);
    return ids;
}

void random_run(std::uint32_t seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Run run(random_config(random));
    Model model{run.config, {}, {}};
    State replayed(run.config);
    std::vector<TaskId> running;
    run.begin({"0", "1", "2"});
    model.check(run.history);
    while (!run.state.over()) {
        while (auto task = take_ready(run.config, run.state))
            running.push_back(*task);
        REQUIRE_FALSE(running.empty());
        if (run.config.max_concurrency) REQUIRE(running.size() <= *run.config.max_concurrency);
        auto which = random() % running.size();
        TaskId task = running[which];
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
        model.check(random() % 3 ? run.succeed(task, random_children(random, model.nodes.size()))
                                 : run.fail(task));
    }
    for (const auto& node : model.nodes)
        REQUIRE(node.over);
    for (const auto& entry : run.history)
        apply(run.config, replayed, entry).value();
    REQUIRE(replayed.over());
    REQUIRE(replayed.next_id == run.state.next_id);
}

}  // namespace

TEST_CASE("random runs follow the rules") {
    for (std::uint32_t seed = 1; seed <= 500; ++seed)
        random_run(seed);
}

TEST_CASE("a history replayed up to any group leaves the same tasks to be done, in the same order") {
    std::mt19937 random(7);
    Run run(random_config(random));
    run.begin({"0", "1", "2"});
    while (!run.state.over()) {
        TaskId task = run.take();
        if (random() % 3)
            run.succeed(task, random_children(random, run.state.next_id));
        else
            run.fail(task);
        Run replayed(run.config);
        replayed.apply_all(run.history);
        REQUIRE(live_tasks(replayed.state) == live_tasks(run.state));
        REQUIRE(replayed.state.running == 0);
        auto copy = run.state;
        while (auto expected = take_ready(run.config, copy))
            REQUIRE(take_ready(replayed.config, replayed.state) == expected);
    }
    CHECK(run.state.next_id > 20);
}
