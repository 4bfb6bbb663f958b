#include "../declared_options.hpp"
#include "cli/parse.hpp"
#include "commands.hpp"
#include "commands/run/printed_commands.hpp"
#include "commands/run/read_run_options.hpp"
#include "commands/run/run_option_table.hpp"
#include "live_run/agent_groups.hpp"
#include "program.hpp"

#include <catch2/catch.hpp>

using barnum::OnResume;
using Words = std::vector<std::string>;

namespace {

constexpr const char* log_path = "/nowhere/run.ndjson";

// A value that is not the default, in a form that a shell needs no quotes for.
std::string sample(const cli::Value& value) {
    using Kind = cli::Value::Kind;
    if (value.kind == Kind::choice) return value.choices.back().text;
    if (value.kind == Kind::whole_number) return std::to_string(value.least + 5);
    if (value.kind == Kind::dollars || value.kind == Kind::seconds) return "2.5";
    return value.kind == Kind::file || value.kind == Kind::directory ? "/x" : "x";
}

std::string sample(const cli::Option& option) {
    if (option.name == "param") return "x=1";
    if (option.name == "keep-output") return "1M";
    return option.name == "agent" ? "claude=2,model=x" : sample(option.value);
}

// The options of a run, with those besides that it needs.
Words arguments(const cli::Option& option) {
    Words words{"--" + option.name};
    if (option.value.kind != cli::Value::Kind::none) words.push_back(sample(option));
    if (option.name == "agents") words.insert(words.end(), {"--agent-exec", "x"});
    if (option.name == "agent-exec") words.insert(words.end(), {"--agents", "1"});
    if (option.name != "resume-from" && option.name != "config") words.push_back("flow.jsonc");
    return words;
}

launch::RunOptions run_options(const Words& words) {
    auto program = barnum::program();
    auto options =
        barnum::read_run_options(cli::parse(barnum::run_command(), program->global_options, words));
    REQUIRE(options.has_value());
    options->directory = "/here";
    return *options;
}

std::string command_to_resume(const Words& words) {
    return barnum::command_to_resume(run_options(words), log_path);
}

}  // namespace

TEST_CASE("every option of barnum is in help, manual and completion") {
    CHECK(declared_options::check_all(*barnum::program()) > 50);
}

TEST_CASE("the command that resumes a run has the options that are declared as kept, and no others") {
    for (const barnum::RunOption& row : barnum::all_run_options()) {
        std::string command = command_to_resume(arguments(row.option)) + " ";
        std::string name = " --" + row.option.name + " ";
        INFO(command);
        bool is_switch = row.option.value.kind == cli::Value::Kind::none;
        if (row.on_resume == OnResume::kept)
            CHECK(command.find(name + (is_switch ? "" : sample(row.option) + " ")) != std::string::npos);
        else if (row.on_resume == OnResume::replaced)
            CHECK(command.find(name + "/nowhere/run") != std::string::npos);
        else
            CHECK(command.find(name) == std::string::npos);
        CHECK((row.replacement != nullptr) == (row.on_resume == OnResume::replaced));
    }
}

TEST_CASE("what the state log contains, and trials, are not in the command that resumes a run") {
    Words left_out;
    for (const barnum::RunOption& row : barnum::all_run_options())
        if (row.on_resume == OnResume::left_out) left_out.push_back(row.option.name);
    CHECK(left_out == Words{"config", "entrypoint-value", "param", "initial-state", "reuse", "detach",
                            "dry-run", "stub", "help"});
}

TEST_CASE("the command that resumes a run leaves out defaults") {
    std::string program = command_to_resume({"f"});
    CHECK(program.ends_with(" run --resume-from /nowhere/run.ndjson"));
    CHECK(command_to_resume({"f", "--fsync", "always", "--pool-wait-secs", "300", "--agents", "0"}) ==
          program);
}

TEST_CASE("the command that resumes a run changes the directory if it means something else elsewhere") {
    auto changes = [](const Words& words) { return command_to_resume(words).starts_with("cd /here && "); };
    bool always = changes({"f"});  // by the path of this test
    CHECK(changes({"f", "--wake", "true"}));
    CHECK(changes({"f", "--agent", "claude"}));
    CHECK(changes({"f", "--root", "pools"}));
    CHECK(changes({"f", "--log-file", "log"}));
    CHECK(changes({"f", "--root", "/pools", "--log-file", "/log", "--jobs", "3"}) == always);
}

TEST_CASE("the command that resumes a run repeats its agents in order, quoted for a shell") {
    std::string command = command_to_resume(
        {"f", "--agent", "exec=2,exec=./a.sh 'x'", "--agent", "claude=1,env=A=1\\,2", "--no-agents"});
    INFO(command);
    CHECK(
        command.find(R"( --agent 'exec=2,exec=./a.sh '\''x'\''' --agent 'claude,env=A=1\,2' --no-agents)") !=
        std::string::npos);
}

TEST_CASE("agents of the command line are those of --agents and of each --agent") {
    auto options = run_options({"f", "--agent", "codex", "--agents", "3", "--agent-exec", "cat"});
    REQUIRE(options.agents.size() == 2);
    CHECK(options.agents[0].settings.command == "cat");
    CHECK(options.agents[0].count == 3);
    CHECK(options.agents[1].settings.kind == agent_driver::AgentKind::codex);
    CHECK(options.has_own_pool());
    CHECK_FALSE(run_options({"f", "--agent", "codex", "--pool", "p"}).has_own_pool());
    CHECK_FALSE(run_options({"f"}).has_own_pool());
}

TEST_CASE("agents are numbered by their kinds, and commands are agents") {
    auto options = run_options({"f", "--agents", "1", "--agent-exec", "cat", "--agent", "claude=2", "--agent",
                                "exec=2,exec=x", "--agent", "codex", "--agent", "claude"});
    std::string names;
    for (const auto& agent : live_run::agents_of(options.agents))
        names += agent.name + "=" + std::to_string(agent.group - options.agents.data()) + " ";
    CHECK(names == "agent-1=0 claude-1=1 claude-2=1 agent-2=2 agent-3=2 codex-1=3 claude-3=4 ");
}

TEST_CASE("a root that the environment decides is named in the command that resumes the run") {
    launch::RunOptions options = run_options({"f"});
    barnum::set_root(options, "/pools");
    CHECK(barnum::command_to_resume(options, log_path).ends_with(" --root /pools"));
}
