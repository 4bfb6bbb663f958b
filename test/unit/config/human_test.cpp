// Human steps: their fields, and what they can't have.
#include "config/description.hpp"
#include "config/graph.hpp"
#include "config/load.hpp"
#include "load_helper.hpp"

namespace {

using namespace config_test;

std::string human_step(const std::string& action, const std::string& rest = "") {
    return R"({"steps": [{"name": "Approve", "action": {"kind": "Human")" + action + "}" + rest + "}]}";
}

}  // namespace

TEST_CASE("a Human step has instructions, and may expire") {
    auto loaded = load(human_step(R"(, "instructions": "Look at it.", "expires": 1.5)"));
    REQUIRE(loaded.config);
    const config::Step& step = loaded.config->steps[0];
    CHECK(step.is_human());
    CHECK_FALSE(step.is_pool());
    const auto& action = std::get<config::HumanAction>(step.action);
    CHECK(action.instructions == "Look at it.");
    CHECK(action.expires == std::chrono::milliseconds(1500));
    CHECK_FALSE(std::get<config::HumanAction>(load(human_step("")).config->steps[0].action).expires);
}

TEST_CASE("a Human step has no hooks around its action, and no options of attempts") {
    CHECK(problems(load(human_step("", R"(, "pre": {"kind": "Command", "script": "cat"})"))) ==
          "w.jsonc:1:68: error: a Human step has no \"pre\" hook: use a Command step before it\n");
    CHECK(problems(load(human_step("", R"(, "post": {"kind": "Command", "script": "cat"})"))) ==
          "w.jsonc:1:69: error: a Human step has no \"post\" hook: use a Command step after it\n");
    CHECK(problems(load(human_step("", R"(, "options": {"timeout": 5})"))) ==
          "w.jsonc:1:73: error: a Human step has no \"timeout\": give its action \"expires\", the seconds "
          "that a "
          "task waits\n");
    CHECK(problems(load(human_step("", R"(, "options": {"serial_key": "/x"})"))) ==
          "w.jsonc:1:73: error: a Human step has no \"serial_key\": its tasks wait for a person, are not "
          "retried "
          "and hold no place\n");
    CHECK(problems(load(human_step("", R"(, "options": {"max_tasks_per_response": 5})"))).empty());
    std::string finally = R"(, "finally": {"kind": "Command", "script": "true"}, "options": {"timeout": 5})";
    CHECK(problems(load(human_step("", finally))).empty());
}

TEST_CASE(
    "a Human step that starts no command has no variables, unless its run began with an earlier version") {
    std::string step = human_step("", R"(, "env": {"A": "b"})");
    CHECK_THAT(problems(load(step)), Catch::Contains("a Human step without a \"finally\" has no \"env\""));
    CHECK(config::load_text(step, "w.jsonc", "/nowhere", config::Use::has_begun).config.has_value());
}

TEST_CASE("graphs and descriptions show people") {
    auto config = load(human_step(R"(, "instructions": "Look.", "expires": 60)")).config;
    CHECK(config::dot_graph(*config).find("Approve\\n[a person]\", shape=ellipse") != std::string::npos);
    CHECK(config::mermaid_graph(*config).find("([\"Approve<br/>") != std::string::npos);
    CHECK(config::describe(*config, "T").find("- Done by: a person, within 60 s") != std::string::npos);
}
