// The settings of agents, one by one, and as the text of `barnum run --agent`.
#include "agent_driver/setting_table.hpp"

#include "agent_driver/agent_text.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace agent_driver {
bool operator==(const Variable& a, const Variable& b) {
    return a.name == b.name && a.value == b.value;
}
}  // namespace agent_driver

namespace {

using agent_driver::AgentGroup;
using agent_driver::Setting;
using agent_driver::SettingType;
using Texts = std::vector<std::string>;

std::string problem(const char* setting, const Texts& texts) {
    AgentGroup group;
    auto done = set(group, *agent_driver::find_setting(setting), texts);
    return done ? "" : done.error().message;
}

AgentGroup parsed(std::string_view text) {
    auto group = agent_driver::parse_agent_text(text);
    INFO(text << ": " << (group ? "" : group.error().message));
    REQUIRE(group.has_value());
    return *group;
}

std::string parse_problem(std::string_view text) {
    auto group = agent_driver::parse_agent_text(text);
    REQUIRE(group.has_error());
    return group.error().message;
}

bool equal(const AgentGroup& a, const AgentGroup& b) {
    const auto& x = a.settings;
    const auto& y = b.settings;
    return a.count == b.count && a.labels == b.labels && a.max_repairs == b.max_repairs && x.kind == y.kind &&
           x.program == y.program && x.command == y.command && x.model == y.model &&
           x.permissions == y.permissions && x.allow_tools == y.allow_tools && x.directory == y.directory &&
           x.env == y.env && x.max_turns == y.max_turns && x.max_usd == y.max_usd && x.stall == y.stall &&
           x.prices == y.prices && x.arguments == y.arguments && x.project_settings == y.project_settings &&
           x.project_instructions == y.project_instructions && x.fallback_model == y.fallback_model &&
           x.effort == y.effort && x.mcp == y.mcp;
}

}  // namespace

TEST_CASE("every setting has a description of its own, in whole sentences") {
    for (const Setting& setting : agent_driver::setting_table()) {
        INFO(setting.name);
        CHECK(setting.description.ends_with('.'));
        CHECK(std::ranges::count(setting.description, ' ') >= 5);
        CHECK(agent_driver::find_setting(setting.name) == &setting);
        CHECK((setting.type == SettingType::choice) == !setting.choices.empty());
        CHECK(std::ranges::count(agent_driver::setting_table(), setting.description, &Setting::description) ==
              1);
    }
    CHECK(agent_driver::find_setting("kind") == nullptr);
}

TEST_CASE("a default group has no setting to print") {
    for (const Setting& setting : agent_driver::setting_table()) {
        INFO(setting.name);
        CHECK(setting.read(AgentGroup()).empty());
    }
}

TEST_CASE("a value that a setting does not take is refused with what it takes") {
    CHECK(problem("count", {"0"}) == "count must be a whole number from 1 to 10000, not \"0\"");
    CHECK(problem("count", {"1.5"}) == "count must be a whole number from 1 to 10000, not \"1.5\"");
    CHECK(problem("max_usd", {"0"}) == "max_usd must be a number from 0.000001 to 1000000, not \"0\"");
    CHECK(problem("max_usd", {"nan"}) != "");
    CHECK(problem("max_usd", {"2 USD"}) != "");
    CHECK(problem("max_repairs", {"-1"}) == "max_repairs must be a whole number from 0 to 100, not \"-1\"");
    CHECK(problem("permissions", {"edti"}) ==
          "permissions must be \"read\", \"edit\" or \"full\", not \"edti\"; did you mean \"edit\"?");
    CHECK(problem("project_settings", {"yes"}) == "project_settings must be true or false, not \"yes\"");
    CHECK(problem("model", {""}) == "model must not be empty");
    CHECK(problem("labels", {"a b"}) ==
          "labels: a label has 1 to 64 letters, digits, '-', '_', '.', '/' and ':', unlike 'a b'");
    CHECK(problem("env", {""}) == "env must be NAME=VALUE or NAME, not \"\"");
    CHECK(problem("env", {"=A"}) == "env must be NAME=VALUE or NAME, not \"=A\"");
    CHECK(problem("arguments", {std::string("a\0b", 3)}) == "arguments must not have a NUL character");
    CHECK(problem("max_repairs", {"0"}) == "");
    CHECK(problem("max_usd", {"0.01"}) == "");
    CHECK(problem("env", {"A=", "B=x=y", "C"}) == "");
}

TEST_CASE("agents are read from a text") {
    CHECK(equal(parsed("claude"), AgentGroup()));
    AgentGroup writers = parsed("claude=3,model=opus,labels=writer,labels=fast,permissions=edit");
    CHECK(writers.count == 3);
    CHECK(writers.settings.model == "opus");
    CHECK(writers.labels.texts() == Texts{"fast", "writer"});
    CHECK(writers.settings.permissions == agent_driver::Permissions::edit);
    CHECK(parsed("claude,project_settings=true").settings.project_settings);
    CHECK(!parsed("claude,project_instructions=false").settings.project_instructions);
    AgentGroup acp = parsed("acp,exec=opencode acp");
    CHECK(acp.settings.kind == agent_driver::AgentKind::acp);
    CHECK(acp.settings.command == "opencode acp");
    AgentGroup exec = parsed("exec=2,exec=./a.sh 'x\\,y' \\\\n \\t,env=A=b=c,stall_secs=7,max_usd=1.25");
    CHECK(exec.count == 2);
    CHECK(exec.settings.command == "./a.sh 'x,y' \\n \\t");
    CHECK(exec.settings.env == std::vector<agent_driver::Variable>{{"A", "b=c"}});
    CHECK(exec.settings.stall.count() == 7);
    CHECK(exec.settings.max_usd == 1.25);
    CHECK(parsed("gemini,count=4").count == 4);
    CHECK(parsed("gemini=+4").count == 4);
}

TEST_CASE("a text that names no agents is refused with a hint") {
    CHECK(parse_problem("claud=3") == "unknown kind of agent \"claud\"; did you mean \"claude\"?");
    CHECK(parse_problem("") ==
          "unknown kind of agent \"\"; it is \"claude\", \"codex\", \"gemini\", \"acp\", \"exec\" or "
          "\"shell\"");
    CHECK(parse_problem("claude,modle=x") ==
          "unknown setting \"modle\" of an agent; did you mean \"model\"?");
    CHECK(parse_problem("claude,zzzz=x")
              .starts_with(
                  "unknown setting \"zzzz\" of an agent; an agent has: count, model, fallback_model,"));
    CHECK(parse_problem("claude,labels=a,b").starts_with("\"b\" has no value: "));
    CHECK(parse_problem("claude,").starts_with("\"\" has no value: "));
    CHECK(parse_problem("claude=2,count=3") == "count is given twice");
    CHECK(parse_problem("claude,model=a,model=b") == "model is given twice");
    CHECK(parse_problem("claude=x") == "count must be a whole number from 1 to 10000, not \"x\"");
}

namespace {

class RandomGroup {
  public:
    explicit RandomGroup(unsigned seed) : random_(seed) {}

    AgentGroup make() {
        AgentGroup group;
        group.settings.kind = static_cast<agent_driver::AgentKind>(below(5));
        for (const Setting& setting : agent_driver::setting_table())
            if (below(2) == 0) REQUIRE(set(group, setting, texts(setting)).has_value());
        return group;
    }

  private:
    std::size_t below(std::size_t limit) { return random_() % limit; }

    std::string word(std::string_view characters) {
        std::string out;
        for (std::size_t i = 1 + below(6); i > 0; --i)
            out += characters[below(characters.size())];
        return out;
    }

    std::string text(const Setting& setting) {
        switch (setting.type) {
            case SettingType::whole_number:
                return std::to_string(1 + below(100));
            case SettingType::number:
                return std::to_string(1 + below(100)) + "." + std::to_string(below(1000));
            case SettingType::choice:
                return std::string(setting.choices[below(setting.choices.size())].name);
            case SettingType::truth:
                return below(2) == 0 ? "true" : "false";
            case SettingType::labels:
                return word("abc-./");
            case SettingType::variables:
                return word("AB") + "=" + word("a,\\= \n'");
            case SettingType::prices:
                return std::to_string(below(1000)) + "." + std::to_string(below(1000));
            case SettingType::text:
            case SettingType::texts:
                break;
        }
        return word("ab,\\= \"'\n\xc3\xa4");
    }

    Texts texts(const Setting& setting) {
        if (setting.type == SettingType::prices)
            return {"output=" + text(setting), "cached=" + text(setting), "input=" + text(setting)};
        Texts out;
        for (std::size_t i = setting.is_list() ? 1 + below(3) : 1; i > 0; --i)
            out.push_back(text(setting));
        return out;
    }

    std::mt19937 random_;
};

}  // namespace

TEST_CASE("the text of a group is read as the same group") {
    RandomGroup groups(7);
    for (int i = 0; i < 2000; ++i) {
        AgentGroup group = groups.make();
        std::string text = agent_driver::agent_text(group);
        INFO(text);
        CHECK(equal(parsed(text), group));
    }
    CHECK(agent_driver::agent_text(parsed("claude=1,env=A=1\\,2,labels=b,labels=a,permissions=read")) ==
          "claude,labels=a,labels=b,env=A=1\\,2");
}
