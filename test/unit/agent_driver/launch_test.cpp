// Command lines, first messages, and what a kind cannot do.
#include "agent_driver/conversation.hpp"
#include "json/json.hpp"
#include "replay.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace agent_driver;
using Texts = std::vector<std::string>;

Launch launch_of(const Settings& settings, const Prompt& prompt = replay::prompt()) {
    return Conversation(settings, prompt).launch({});
}

bool contains(const Texts& words, const Texts& part) {
    return std::ranges::search(words, part).begin() != words.end();
}

std::string complaint(const Settings& settings) {
    auto checked = check(settings);
    return checked ? "" : checked.error().message;
}

bool in(std::string_view part, std::string_view text) {
    return text.find(part) != std::string_view::npos;
}

// Empty if it is not set.
std::string variable(const Launch& launch, std::string_view name) {
    auto found = std::ranges::find(launch.environment, name, &Variable::name);
    return found == launch.environment.end() ? "" : found->value;
}

const std::string schema = R"({"type":"array","items":{"type":"object"}})";

}  // namespace

TEST_CASE("claude: options") {
    Settings settings = replay::settings(AgentKind::claude);
    CHECK(launch_of(settings).program == "claude");
    CHECK(contains(launch_of(settings).arguments, {"--permission-mode", "default"}));
    const std::string reading = "Read,Grep,Glob,Agent,TaskCreate,TaskGet,TaskList,TaskUpdate";
    CHECK(contains(launch_of(settings).arguments, {"--tools", reading, "--verbose"}));
    settings.allow_tools = {"Bash(make *)", "mcp__server__tool"};
    CHECK(contains(launch_of(settings).arguments, {"--allowedTools", "Bash(make *)", "mcp__server__tool",
                                                   "--tools", reading + ",Bash", "--verbose"}));
    settings.permissions = Permissions::edit;
    settings.allow_tools = {"Bash(make *)", "WebFetch"};
    settings.model = "opus";
    settings.fallback_model = "sonnet,haiku";
    settings.effort = "max";
    settings.max_turns = 7;
    settings.max_usd = 0.5;
    settings.arguments = {"--settings", "s.json"};
    auto arguments = launch_of(settings).arguments;
    CHECK(contains(arguments, {"--allowedTools", "Bash(make *)", "WebFetch", "--tools",
                               reading + ",Edit,Write,NotebookEdit,Bash,WebFetch", "--verbose"}));
    CHECK(contains(arguments, {"--permission-mode", "acceptEdits", "--model", "opus", "--fallback-model",
                               "sonnet,haiku", "--effort", "max"}));
    CHECK(contains(arguments, {"--max-turns", "7", "--max-budget-usd", "0.5", "--settings", "s.json"}));
    settings.permissions = Permissions::full;
    CHECK(contains(launch_of(settings).arguments, {"--dangerously-skip-permissions"}));
    CHECK(!contains(launch_of(settings).arguments, {"--tools"}));
}

TEST_CASE("claude: the program sends back as many answers as it may") {
    Prompt prompt = replay::prompt();
    prompt.max_repairs = 0;
    CHECK(variable(launch_of(replay::settings(AgentKind::claude), prompt), "MAX_STRUCTURED_OUTPUT_RETRIES") ==
          "1");
}

TEST_CASE("claude: a schema that is too long for the command line is left out") {
    Settings settings = replay::settings(AgentKind::claude);
    Prompt prompt = replay::prompt();
    prompt.response_schema = schema;
    CHECK(contains(launch_of(settings, prompt).arguments, {"--json-schema"}));
    prompt.response_schema = R"({"description":")" + std::string(100'000, 'x') + "\"}";
    CHECK(!contains(launch_of(settings, prompt).arguments, {"--json-schema"}));
}

TEST_CASE("codex: options") {
    Settings settings = replay::settings(AgentKind::codex);
    CHECK(launch_of(settings).program == "codex");
    CHECK(launch_of(settings).arguments.front() == "app-server");
    CHECK(in(R"("cwd":"/project","approvalPolicy":"never","permissions":"barnum")",
             launch_of(settings).lines.back()));
    settings.permissions = Permissions::edit;
    settings.model = "gpt-5.5";
    CHECK(in(R"("permissions":"barnum","model":"gpt-5.5")", launch_of(settings).lines.back()));
    settings.permissions = Permissions::full;
    settings.effort = "minimal";
    CHECK(in(R"("sandbox":"danger-full-access")", launch_of(settings).lines.back()));
    CHECK(contains(launch_of(settings).arguments, {"-c", R"(model_reasoning_effort="minimal")"}));
}

TEST_CASE("codex: its sandbox shows the directory, the system, and the program itself") {
    Settings settings = replay::settings(AgentKind::codex);
    auto arguments = [&](const Surroundings& surroundings) {
        return Conversation(settings, replay::prompt(), surroundings).launch({}).arguments;
    };
    CHECK(contains(arguments({"/opt/codex", ""}),
                   {"-c",
                    R"(permissions.barnum={filesystem={":minimal"="read","/opt/codex"="read",)"
                    R"(":workspace_roots"={"."="read"}}})",
                    "-c", R"(default_permissions="barnum")", "-c", R"(web_search="disabled")"}));
    settings.permissions = Permissions::edit;
    CHECK(contains(arguments({}), {"-c", R"(permissions.barnum={filesystem={":minimal"="read",)"
                                         R"(":workspace_roots"={"."="write"}}})"}));
    settings.permissions = Permissions::full;
    CHECK(!contains(arguments({}), {R"(web_search="disabled")"}));
}

TEST_CASE("gemini: options") {
    Settings settings = replay::settings(AgentKind::gemini);
    const Surroundings surroundings{"", "/state"};
    auto launch = [&] { return Conversation(settings, replay::prompt(), surroundings).launch({}); };
    const std::string policy = "/state/gemini-policy.toml";
    CHECK(launch().arguments == Texts{"--acp", "--approval-mode", "default", "--admin-policy", policy});
    REQUIRE(launch().files.size() == 1);
    CHECK(launch().files.front().path == policy);
    CHECK(in("toolName = [\"google_web_search\", \"read_many_files\"]\ndecision = \"deny\"",
             launch().files.front().text));
    settings.permissions = Permissions::edit;
    settings.model = "pro";
    CHECK(launch().arguments ==
          Texts{"--acp", "--approval-mode", "auto_edit", "-m", "pro", "--admin-policy", policy});
    settings.permissions = Permissions::full;
    CHECK(launch().arguments == Texts{"--acp", "--approval-mode", "yolo", "-m", "pro"});
    CHECK(launch().files.empty());
}

TEST_CASE("secrets of others do not reach a program's tools") {
    Surroundings surroundings;
    surroundings.secrets = {"ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GITHUB_TOKEN"};
    auto launch = [&](AgentKind kind) {
        return Conversation(replay::settings(kind), replay::prompt(), surroundings).launch({});
    };
    CHECK(launch(AgentKind::claude).removed == Texts{"GEMINI_API_KEY", "GITHUB_TOKEN"});
    CHECK(launch(AgentKind::gemini).removed == Texts{"ANTHROPIC_API_KEY", "GITHUB_TOKEN"});
    CHECK(launch(AgentKind::codex).removed.empty());
    CHECK(contains(launch(AgentKind::codex).arguments,
                   {"shell_environment_policy.ignore_default_excludes=false", "-c",
                    R"(shell_environment_policy.exclude=["ANTHROPIC_API_KEY","GEMINI_API_KEY",)"
                    R"("GITHUB_TOKEN"])"}));
    CHECK(launch(AgentKind::acp).removed.empty());

    Settings settings = replay::settings(AgentKind::codex);
    settings.kept_env = {"Github_Token"};
    CHECK(contains(launch_of(settings).arguments,
                   {"-c", "shell_environment_policy.ignore_default_excludes=true"}));
}

TEST_CASE("a directory configures a program only if the settings say so") {
    Settings settings = replay::settings(AgentKind::claude);
    settings.directory = "/a/\"b\"/c";
    CHECK(contains(launch_of(settings).arguments, {"--setting-sources", "user"}));
    CHECK(variable(launch_of(settings), "GIT_CONFIG_KEY_0") == "core.fsmonitor");
    CHECK(variable(launch_of(settings), "GIT_CONFIG_VALUE_0") == "false");
    settings.project_settings = true;
    CHECK(!contains(launch_of(settings).arguments, {"--setting-sources"}));
    CHECK(variable(launch_of(settings), "GIT_CONFIG_COUNT") == "");

    settings.kind = AgentKind::codex;
    CHECK(contains(launch_of(settings).arguments,
                   {"-c", R"(projects={"/a/\"b\"/c"={trust_level="trusted"}})"}));
    settings.project_settings = false;
    CHECK(contains(
        launch_of(settings).arguments,
        {"-c", R"(projects={"/a/\"b\"/c"={trust_level="untrusted"},"/a/\"b\""={trust_level="untrusted"},)"
               R"("/a"={trust_level="untrusted"},"/"={trust_level="untrusted"}})"}));
    CHECK(variable(launch_of(settings), "GIT_CONFIG_COUNT") == "none");

    settings.kind = AgentKind::gemini;
    CHECK(variable(launch_of(settings), "GEMINI_CLI_TRUST_WORKSPACE") == "false");
    CHECK(contains(launch_of(settings).withheld, {"GEMINI_API_KEY"}));
    settings.project_settings = true;
    CHECK(variable(launch_of(settings), "GEMINI_CLI_TRUST_WORKSPACE") == "true");
    CHECK(launch_of(settings).withheld.empty());
}

TEST_CASE("what the directory says to models comes after the step's instructions") {
    Prompt prompt = replay::prompt();
    prompt.project = "\n\nFrom /project/CLAUDE.md:\n\nUse tabs.";
    Launch launch = launch_of(replay::settings(AgentKind::claude), prompt);
    CHECK(in(R"(Count to one.\n\nThe directory in which you work has instructions of its own.)",
             launch.lines.front()));
    CHECK(in(R"(\n\nFrom /project/CLAUDE.md:\n\nUse tabs."})", launch.lines.front()));
}

TEST_CASE("a program and a command decide themselves about what a directory may set") {
    for (AgentKind kind : {AgentKind::acp, AgentKind::exec}) {
        Settings settings = replay::settings(kind);
        settings.command = "agent";
        settings.project_settings = true;
        CHECK(in("project_settings is not available for ", complaint(settings)));
        settings.project_settings = false;
        settings.project_instructions = false;
        CHECK(in("project_instructions is not available for ", complaint(settings)));
    }
    Settings settings = replay::settings(AgentKind::codex);
    settings.project_settings = true;
    CHECK(complaint(settings) == "");
    settings.project_instructions = false;
    CHECK(in("project_instructions must be true if project_settings is", complaint(settings)));
}

TEST_CASE("the user's program, arguments and environment") {
    Settings settings = replay::settings(AgentKind::codex);
    settings.program = "/opt/codex";
    settings.arguments = {"--search"};
    settings.env = {{"A", "1"}};
    Launch launch = launch_of(settings);
    CHECK(launch.program == "/opt/codex");
    CHECK(launch.arguments.back() == "--search");
    CHECK(launch.directory == "/project");
    CHECK(launch.environment.back().name == "A");
}

TEST_CASE("acp: the program is started by a shell, with the user's arguments") {
    Settings settings = replay::settings(AgentKind::acp);
    settings.command = "opencode acp";
    settings.arguments = {"--port", "0"};
    Launch launch = launch_of(settings);
    CHECK(launch.program == "/bin/sh");
    CHECK(launch.arguments == Texts{"-c", "opencode acp \"$@\"", "sh", "--port", "0"});
}

TEST_CASE("what a kind cannot do is refused with the reason") {
    for (AgentKind kind : {AgentKind::claude, AgentKind::codex, AgentKind::gemini, AgentKind::acp})
        CHECK(complaint(replay::settings(kind)) == "");
    for (AgentKind kind : {AgentKind::codex, AgentKind::gemini, AgentKind::acp}) {
        Settings settings = replay::settings(kind);
        settings.max_usd = 1;
        CHECK(in("max_usd is not available for ", complaint(settings)));
        settings = replay::settings(kind);
        settings.max_turns = 1;
        CHECK(in("max_turns is not available for ", complaint(settings)));
        settings = replay::settings(kind);
        settings.allow_tools = {"Bash"};
        CHECK(in("allow_tools is not available for ", complaint(settings)));
    }
    Settings acp = replay::settings(AgentKind::acp);
    acp.model = "m";
    CHECK(in("model is not available for acp", complaint(acp)));
    acp = replay::settings(AgentKind::acp);
    acp.command = "";
    CHECK(in("needs exec, a shell command such as \"opencode acp\"", complaint(acp)));
    acp.command = "opencode acp";
    acp.program = "opencode";
    CHECK(in("program is not available for acp", complaint(acp)));
    Settings claude = replay::settings(AgentKind::claude);
    claude.command = "claude -p";
    CHECK(in("exec is not available for claude", complaint(claude)));
}

TEST_CASE("which kinds can be told how much to think, and which model takes over") {
    auto refused = [](AgentKind kind, auto member, const char* value) {
        Settings settings = replay::settings(kind);
        if (kind == AgentKind::exec) settings.command = "./agent.sh";
        settings.*member = value;
        return complaint(settings);
    };
    for (AgentKind kind : {AgentKind::gemini, AgentKind::acp})
        CHECK(in(": the program has no option for it; claude and codex have one",
                 refused(kind, &Settings::effort, "low")));
    CHECK(refused(AgentKind::claude, &Settings::effort, "minimal") ==
          "effort is not available for claude: its lowest effort is \"low\"");
    CHECK(
        in("fallback_model is not available for codex: the program has no option for it; only claude has one",
           refused(AgentKind::codex, &Settings::fallback_model, "m")));
    CHECK(in(": the command chooses its model itself; only claude has one",
             refused(AgentKind::exec, &Settings::fallback_model, "m")));
    for (const char* wrong : {",,", ",a", "a,", "a, ,b", " "})
        CHECK(refused(AgentKind::claude, &Settings::fallback_model, wrong) ==
              "fallback_model must be the name of a model, or several with commas between them");
    CHECK(refused(AgentKind::claude, &Settings::fallback_model, "a, b,c").empty());
}

TEST_CASE("a command decides itself about permissions and arguments") {
    Settings settings = replay::settings(AgentKind::exec);
    CHECK(in("needs exec", complaint(settings)));
    settings.command = " \t";
    CHECK(in("needs exec", complaint(settings)));
    settings.command = "./agent.sh";
    CHECK(complaint(settings) == "");
    settings.arguments = {"-v"};
    CHECK(in("arguments is not available for exec", complaint(settings)));
    settings.arguments = {};
    settings.stall = std::chrono::seconds(5);
    CHECK(in("stall_secs is not available for exec", complaint(settings)));
    settings.stall = Settings().stall;
    settings.permissions = Permissions::edit;
    CHECK(in("permissions is not available for exec", complaint(settings)));
}

TEST_CASE("kinds have names") {
    for (AgentKind kind : {AgentKind::claude, AgentKind::codex, AgentKind::gemini, AgentKind::acp,
                           AgentKind::exec, AgentKind::shell})
        CHECK(parse_kind(kind_name(kind)) == kind);
    CHECK(!parse_kind("Claude"));
}

TEST_CASE("wrong settings") {
    Settings good = replay::settings(AgentKind::claude);
    Settings bad = good;
    bad.directory = "work";
    CHECK(complaint(bad) == "directory must be an absolute path");
    bad = good;
    bad.env = {{"BARNUM_AGENT_ID", "x"}};
    CHECK(in("env must not set BARNUM_AGENT_ID", complaint(bad)));
    bad = good;
    bad.max_turns = 0;
    CHECK(complaint(bad) == "max_turns must be at least 1");
    bad = good;
    bad.max_usd = 0;
    CHECK(complaint(bad) == "max_usd must be more than 0");
    bad = good;
    bad.stall = std::chrono::seconds(0);
    CHECK(complaint(bad) == "stall_secs must be at least 1");
    bad = good;
    bad.allow_tools = {"--dangerously-skip-permissions"};
    CHECK(in("allow_tools", complaint(bad)));
}

TEST_CASE("a value is data to every program") {
    Prompt prompt{"/help @common $common", R"({"x":"/help @/etc/passwd $imagegen !ls --version"})", {}};
    Launch claude = launch_of(replay::settings(AgentKind::claude), prompt);
    CHECK(in(R"("text":"Instructions for this task:\n\n/help)", claude.lines.front()));
    CHECK(std::ranges::any_of(claude.environment, [](const Variable& variable) {
        return variable.name == "CLAUDE_CODE_DISABLE_ATTACHMENTS" && variable.value == "1";
    }));

    Conversation codex(replay::settings(AgentKind::codex), prompt);
    CHECK(in(R"("developerInstructions":"Instructions for this task:\n\n/help @common $common")",
             codex.launch({}).lines.back()));
    auto turn = codex.stdout_line(R"({"id":2,"result":{"thread":{"id":"t"}}})", {});
    const std::string& sent = std::get<Send>(turn.back()).line;
    CHECK(!in("$", sent));
    CHECK(in(R"(\\u0024imagegen)", sent));

    Conversation gemini(replay::settings(AgentKind::gemini), prompt);
    gemini.launch({});
    gemini.stdout_line(R"({"id":1,"result":{"protocolVersion":1}})", {});
    auto first = gemini.stdout_line(R"({"id":2,"result":{"sessionId":"s"}})", {});
    CHECK(in(R"("text":"Instructions for this task:\n\n/help)", std::get<Send>(first.back()).line));
}

TEST_CASE("other requests of a program are declined") {
    for (AgentKind kind : {AgentKind::codex, AgentKind::acp}) {
        Conversation conversation(replay::settings(kind), replay::prompt());
        conversation.launch({});
        auto actions = conversation.stdout_line(R"({"id":5,"method":"fs/read_text_file","params":{}})", {});
        REQUIRE(actions.size() == 1);
        CHECK(in(R"("id":5,"error":{"code":-32601)", std::get<Send>(actions.front()).line));
    }
}

TEST_CASE("every line that is sent is one JSON value on one line") {
    Prompt prompt{"two\nlines", "{\n\"a\":\n\"b\"}", schema};
    for (AgentKind kind : {AgentKind::claude, AgentKind::codex, AgentKind::gemini, AgentKind::acp})
        for (const std::string& line : launch_of(replay::settings(kind), prompt).lines) {
            INFO(line);
            CHECK(!json::check(line));
            CHECK(!in("\n", line));
        }
}
