// Agents of the kind shell.
#include "agent_driver/agent_text.hpp"
#include "agent_driver/setting_table.hpp"

#include <catch2/catch.hpp>

using namespace agent_driver;

namespace {

std::string problem(const std::string& text) {
    auto group = parse_agent_text(text);
    if (!group) return group.error().message;
    group->settings.directory = "/";
    auto checked = check(group->settings);
    return checked ? "" : checked.error().message;
}

}  // namespace

TEST_CASE("agents of the kind shell always have its label, and no others do") {
    AgentGroup group = parse_agent_text("shell=2,labels=debian").value();
    CHECK(offered_labels(group) == *base::Labels::of({"debian", "kind:shell"}));
    CHECK(group.labels == *base::Labels::of({"debian"}));
    CHECK(agent_text(group).find("kind:shell") == std::string::npos);
    CHECK(offered_labels(parse_agent_text("codex").value()).empty());
    for (const char* text :
         {"shell,labels=kind:shell", "exec,exec=x,labels=kind:shell", "claude,labels=a,labels=kind:shell"})
        CHECK_THAT(problem(text), Catch::Contains("labels must not have kind:shell"));
}

TEST_CASE("agents of the kind shell have room for 15 labels") {
    std::string text = "shell";
    for (char c = 'a'; c < 'a' + 15; ++c)
        text += std::string(",labels=") + c;
    CHECK(problem(text).empty());
    CHECK_THAT(problem(text + ",labels=z"), Catch::Contains("17 labels are too many"));
}

TEST_CASE("agents of the kind shell have no settings of what they run") {
    CHECK(problem("shell,env=A=b,directory=/tmp").empty());
    for (const char* setting :
         {"exec=true", "program=x", "model=x", "fallback_model=x", "effort=low", "mcp=/x", "arguments=x",
          "permissions=full", "allow_tools=Bash", "project_settings=true", "project_instructions=false",
          "max_turns=3", "max_usd=1", "stall_secs=5", "prices=input=1,prices=output=2"})
        CHECK_THAT(problem(std::string("shell,") + setting),
                   Catch::Contains(
                       "is not available for shell: its agents run the Commands that they get as tasks"));
    CHECK(unknown_cost(parse_agent_text("shell").value().settings).empty());
    CHECK_FALSE(has_driver(AgentKind::shell));
    CHECK_FALSE(has_driver(AgentKind::exec));
    CHECK(has_driver(AgentKind::acp));
}
