// Commands that an agent of the pool runs.
#include "config/description.hpp"
#include "config/graph.hpp"
#include "config/pool_step.hpp"
#include "config/warnings.hpp"
#include "load_helper.hpp"

namespace {

using namespace config_test;

std::string with_action(const std::string& members) {
    return R"({"options": {"timeout": 1}, "steps": [{"name": "A", "env": {"X": "y"}, "action": {"kind": "Command", "script": "true")" +
           members + "}}]}";
}

std::string problem_of_action(const std::string& members) {
    return problems(load(with_action(members)));
}

}  // namespace

TEST_CASE("a Command on the pool is a Pool step with a script, which needs shell agents") {
    auto config = good(with_action(R"(, "on": "pool", "labels": ["gpu"])"));
    const config::Step& step = config.steps[0];
    CHECK(step.is_pool());
    REQUIRE(command_of(step) != nullptr);
    CHECK(command_of(step)->script == "true");
    CHECK(*labels_of(step) == *base::Labels::of({"gpu", "kind:shell"}));
    CHECK(step.pool_instructions.empty());
    CHECK(needed_of_agents(step) == "has the labels gpu, kind:shell");
    CHECK(agent_text(step) == "an agent of the kind shell that has the label gpu");
    auto again = config::load_text(config.resolved, "w", "/nowhere");
    CHECK(*labels_of(again.config->steps[0]) == *labels_of(step));
    CHECK(has(config::describe(config, "w"),
              "- Done by: a command, run by an agent of the kind shell that has the label gpu\n"));
    CHECK(has(config::dot_graph(config), "diamond"));
}

TEST_CASE("without \"on\" a Command runs here") {
    auto config = good(with_action(""));
    CHECK_FALSE(config.steps[0].is_pool());
    CHECK(command_of(config.steps[0])->script == "true");
    CHECK(labels_of(config.steps[0]) == nullptr);
    config = good(std::string(R"({"steps": [{"name": "A", "action": {"kind": "Pool"}}]})"));
    CHECK(command_of(config.steps[0]) == nullptr);
    CHECK(labels_of(config.steps[0])->empty());
    CHECK(needed_of_agents(config.steps[0]) == "is of another kind than shell");
    CHECK(agent_text(config.steps[0]) == "an agent of the pool");
}

TEST_CASE("mistakes of a Command on the pool are named") {
    CHECK(has(problem_of_action(R"(, "on": "local")"), R"("on" must be "pool", not "local")"));
    CHECK(has(problem_of_action(R"(, "on": 1, "labels": ["a"])"), R"("on" must be a string, not a number)"));
    CHECK_FALSE(has(problem_of_action(R"(, "on": 1, "labels": ["a"])"), "they need"));
    CHECK(has(problem_of_action(R"(, "labels": ["a"])"),
              R"("labels" are those of an agent: they need "on": "pool")"));
    CHECK(has(problem_of_action(R"(, "on": "pool", "labels": ["a b"])"), "unlike 'a b'"));
    CHECK(has(problem_of_action(R"(, "on": "pool", "labels": ["kind:shell"])"),
              "is the label of agents of the kind shell"));
    std::string many = "[\"0\"";
    for (int number = 1; number < 16; ++number)
        many += ", \"" + std::to_string(number) + "\"";
    CHECK(has(problem_of_action(R"(, "on": "pool", "labels": )" + many + "]"),
              "a Command on the pool has at most 15 labels"));
    CHECK(has(problems(load(
                  R"({"steps": [{"name": "A", "pre": {"kind": "Command", "script": "cat", "on": "pool"}, )" +
                  std::string(command) + "}]}")),
              R"(unknown field "on" in a hook; a hook has: kind, script)"));
}

TEST_CASE("a Command on the pool is warned of if no agent of the config runs it") {
    auto warned = [](const std::string& kind, const std::string& more) {
        std::string text =
            R"({"agents": [{"kind": )" + kind + "}], " + with_action(R"(, "on": "pool")" + more).substr(1);
        std::string out;
        for (const auto& each : config::warnings(good(text), text, "w.jsonc").shown)
            out += config::to_string(each) + "\n";
        return out;
    };
    CHECK(warned("\"shell\"", "").empty());
    CHECK(has(warned("\"shell\"", R"(, "labels": ["a"])"),
              "no agent of the config has the labels a, kind:shell"));
    CHECK(has(warned("\"codex\"", ""),
              "no agent of the config has the label kind:shell, which the Pool step \"A\" requires"));
}
