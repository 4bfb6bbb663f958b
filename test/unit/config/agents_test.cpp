// The agents of a config.
#include "config/warnings.hpp"
#include "load_helper.hpp"

namespace {

using namespace config_test;
using agent_driver::AgentKind;

std::string with_agents(const std::string& agents, const std::string& labels = "[]") {
    return "{\"agents\": " + agents + R"(, "options": {"timeout": 1}, "steps": [{"name": "A", )" +
           R"("action": {"kind": "Pool", "instructions": "Do.", "labels": )" + labels + "}}]}";
}

std::string problem_of_agents(const std::string& agents) {
    return problems(load(with_agents(agents)));
}

// What the schema for editors also finds.
std::string wrong_agents(const std::string& agents) {
    CHECK_FALSE(violation_of_schema_document(with_agents(agents)).empty());
    return problem_of_agents(agents);
}

std::string warned_of_agents(const std::string& agents, const std::string& labels) {
    std::string text = with_agents(agents, labels);
    std::string out;
    for (const auto& each : config::warnings(good(text), text, "w.jsonc").shown)
        out += config::to_string(each) + "\n";
    return out;
}

}  // namespace

TEST_CASE("a config has agents with all settings") {
    auto config = good(with_agents(R"([
        {"kind": "claude", "count": 3, "model": "opus", "permissions": "edit", "labels": ["writer"],
         "allow_tools": ["Bash"], "directory": "sub/../tree", "env": {"A": "1", "B": "x=y", "C": null},
         "max_turns": 50, "max_usd": 2.5, "stall_secs": 60, "max_repairs": 0, "arguments": ["--x"],
         "program": "bin/claude", "project_settings": true, "effort": "xhigh", "mcp": "../m.json", "fallback_model": "haiku"},
        {"kind": "exec", "exec": "./agent.sh"}])"));
    REQUIRE(config.agents.size() == 2);
    const auto& [settings, count, labels, max_repairs] = config.agents[0];
    CHECK(settings.kind == AgentKind::claude);
    CHECK(count == 3);
    CHECK(settings.model == "opus");
    CHECK(settings.permissions == agent_driver::Permissions::edit);
    CHECK(labels.texts() == std::vector<std::string>{"writer"});
    CHECK(settings.project_settings);
    CHECK(settings.project_instructions);
    CHECK(settings.effort + settings.fallback_model == "xhighhaiku");
    CHECK(settings.mcp == "/m.json");
    CHECK(settings.allow_tools == std::vector<std::string>{"Bash"});
    CHECK(settings.directory == "/nowhere/tree");
    REQUIRE(settings.env.size() == 2);
    CHECK(settings.env[1].name + " " + settings.env[1].value == "B x=y");
    CHECK(settings.kept_env == std::vector<std::string>{"C"});
    CHECK(settings.max_turns == 50);
    CHECK(settings.max_usd == 2.5);
    CHECK(settings.stall == std::chrono::seconds(60));
    CHECK(max_repairs == 0);
    CHECK(settings.arguments == std::vector<std::string>{"--x"});
    CHECK(settings.program == "/nowhere/bin/claude");
    const auto& second = config.agents[1];
    CHECK(second.settings.command == "./agent.sh");
    CHECK(second.settings.directory == "/nowhere");
    CHECK(second.settings.program.empty());
    CHECK(second.count == 1);
    CHECK(good(with_agents("[]")).agents.empty());
}

TEST_CASE("the agents are in the config's resolved text") {
    auto config = good(with_agents(R"([{"kind": "claude", "directory": "tree", "labels": ["x"]}])"));
    auto again = good(config::load_text(config.resolved, "log", "/nowhere"));
    REQUIRE(again.agents.size() == 1);
    CHECK(again.agents[0].settings.directory == "/nowhere/tree");
    CHECK(again.agents[0].labels == *base::Labels::of({"x"}));
}

TEST_CASE("absolute directories, and programs to look up, stay as they are") {
    auto config = good(with_agents(R"([{"kind": "claude", "directory": "/srv/x/", "program": "claude-2"}])"));
    CHECK(config.agents[0].settings.directory == "/srv/x");
    CHECK(config.agents[0].settings.program == "claude-2");
}

TEST_CASE("a mistake in an agent is reported at its place") {
    CHECK(wrong_agents(R"({"kind": "claude"})") ==
          "w.jsonc:1:12: error: \"agents\" must be an array, not an object\n");
    CHECK(has(wrong_agents("[7]"), "1:13: error: an agent must be an object, not a number"));
    CHECK(has(wrong_agents("[{}]"), "1:13: error: \"kind\" is missing in an agent"));
    CHECK(has(wrong_agents(R"([{"kind": "claud"}])"),
              "1:22: error: \"kind\" must be \"claude\", \"codex\", \"gemini\", \"acp\", \"exec\" or "
              "\"shell\", not "
              "\"claud\"; did you mean \"claude\"?"));
    CHECK(has(wrong_agents(R"([{"kind": "claude", "modle": "x"}])"),
              "unknown field \"modle\" in an agent; did you mean \"model\"?"));
    CHECK(has(wrong_agents(R"([{"kind": "claude", "count": 0}])"),
              "\"count\" must be a whole number from 1 to 10000, not 0"));
    CHECK(has(wrong_agents(R"([{"kind": "claude", "max_usd": 0}])"),
              "\"max_usd\" must be a number from 0.000001 to 1000000, not 0"));
    CHECK(has(wrong_agents(R"([{"kind": "claude", "permissions": "all"}])"),
              "\"permissions\" must be \"read\", \"edit\" or \"full\", not \"all\""));
    CHECK(has(wrong_agents(R"([{"kind": "claude", "model": ""}])"), "model must not be empty"));
    CHECK(has(wrong_agents(R"([{"kind": "claude", "labels": ["a b"]}])"), "unlike 'a b'"));
    CHECK(has(wrong_agents(R"([{"kind": "claude", "arguments": ["a", 7]}])"),
              "1:51: error: \"arguments\" must have strings, not a number"));
    CHECK(has(wrong_agents(R"([{"kind": "claude", "env": {"A": 7}}])"),
              "1:45: error: a variable must be a string, not a number"));
    CHECK(has(problem_of_agents(R"([{"kind": "claude", "env": {"A=": "x"}}])"),
              "the name of a variable must not"));
    CHECK(has(problem_of_agents(R"([{"kind": "claude", "env": {"A": "x", "A": "y"}}])"),
              "\"A\" occurs twice in \"env\""));
}

TEST_CASE("what a kind cannot do is refused at its place, all in one pass") {
    CHECK(problem_of_agents(R"([{"kind": "codex", "max_usd": 2,
"max_turns": 3}, {"kind": "exec"},
{"kind": "claude", "exec": "x"}])") ==
          "w.jsonc:1:42: error: max_usd is not available for codex: the program does not tell what a task "
          "costs\n"
          "w.jsonc:2:14: error: max_turns is not available for codex: the program has no option for it\n"
          "w.jsonc:2:18: error: an agent of the kind exec needs exec, a shell command such as "
          "\"./agent.sh\"\n"
          "w.jsonc:3:28: error: exec is not available for claude: it is for commands; give the path of the "
          "program as program\n");
    // Not that it is missing as well.
    CHECK(problem_of_agents(R"([{"kind": "exec", "exec": 7}])") ==
          "w.jsonc:1:38: error: \"exec\" must be a string, not a number\n");
}

TEST_CASE("agents that may do everything are warned of") {
    CHECK(has(warned_of_agents(R"([{"kind": "claude", "permissions": "full"}])", "[]"),
              "w.jsonc:1:47: warning: with these permissions the agents do everything without a question"));
    CHECK(warned_of_agents(R"([{"kind": "claude", "permissions": "edit"}])", "[]").empty());
}

TEST_CASE("labels that no agent of the config has are warned of") {
    std::string agents = R"([{"kind": "claude", "labels": ["a", "b"]}, {"kind": "codex", "labels": ["c"]}])";
    CHECK(warned_of_agents(agents, "[]").empty());
    CHECK(warned_of_agents(agents, R"(["b"])").empty());
    CHECK(has(warned_of_agents(agents, R"(["a", "c"])"),
              "warning: no agent of the config has the labels a, c, which the Pool step \"A\" requires: its "
              "tasks wait for other agents (--agent, or --pool)"));
    CHECK(warned_of_agents("[]", R"(["a"])").empty());
}
