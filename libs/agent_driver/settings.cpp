#include "agent_driver/settings.hpp"

#include "agent_driver/list_prices.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace agent_driver {

namespace {

constexpr std::array<std::string_view, 6> names_of_kinds{"claude", "codex", "gemini", "acp", "exec", "shell"};

constexpr std::string_view no_acp_tokens =
    "the Agent Client Protocol does not tell how many tokens a task uses";

constexpr std::string_view only_commands = "its agents run the Commands that they get as tasks";

bool has_command(AgentKind kind) {
    return kind == AgentKind::acp || kind == AgentKind::exec;
}

// Such a name would be read as an option.
bool is_option(const std::string& tool) {
    return tool.empty() || tool.starts_with('-');
}

class Checker {
  public:
    explicit Checker(const Settings& settings) : settings_(settings) {}

    std::vector<SettingProblem> run() {
        if (!settings_.directory.starts_with('/')) add("directory", "directory must be an absolute path");
        check_numbers();
        if (settings_.kind != AgentKind::claude && settings_.kind != AgentKind::shell) check_limits();
        if (std::ranges::any_of(settings_.allow_tools, is_option))
            add("allow_tools", "a name in allow_tools must not be empty or begin with '-'");
        for (const Variable& variable : settings_.env)
            if (variable.name.starts_with("BARNUM_"))
                add("env", base::concat("env must not set ", variable.name,
                                        ": Barnum sets the variables BARNUM_… itself"));
        check_command();
        if (settings_.kind == AgentKind::exec) check_exec();
        if (settings_.kind == AgentKind::shell) check_shell();
        check_project();
        check_model();
        if (settings_.prices && settings_.kind == AgentKind::acp) refuse("prices", no_acp_tokens);
        if (settings_.prices && settings_.kind == AgentKind::claude)
            refuse("prices", "the program tells what a task costs");
        return std::move(problems_);
    }

  private:
    void add(std::string_view setting, std::string message) {
        problems_.push_back({setting, std::move(message)});
    }

    void refuse(std::string_view setting, std::string_view reason) {
        add(setting,
            base::concat(setting, " is not available for ", kind_name(settings_.kind), ": ", reason));
    }

    void check_numbers() {
        if (settings_.max_turns && *settings_.max_turns < 1) add("max_turns", "max_turns must be at least 1");
        if (settings_.max_usd && !(*settings_.max_usd > 0)) add("max_usd", "max_usd must be more than 0");
        if (settings_.stall.count() < 1) add("stall_secs", "stall_secs must be at least 1");
    }

    // The limits that only Claude Code enforces.
    void check_limits() {
        if (settings_.max_usd) refuse("max_usd", "the program does not tell what a task costs");
        if (settings_.max_turns) refuse("max_turns", "the program has no option for it");
        if (!settings_.allow_tools.empty())
            refuse("allow_tools", "the program cannot be given single tools; set permissions instead");
    }

    // Checks the settings for what the program takes from its directory.
    void check_project() {
        std::string_view reason = settings_.kind == AgentKind::acp    ? "the program decides about it"
                                  : settings_.kind == AgentKind::exec ? "the command decides about it"
                                                                      : only_commands;
        bool is_known = has_driver(settings_.kind) && settings_.kind != AgentKind::acp;
        if (!is_known && settings_.project_settings) refuse("project_settings", reason);
        if (!is_known && !settings_.project_instructions) refuse("project_instructions", reason);
        if (is_known && settings_.project_settings && !settings_.project_instructions)
            add("project_instructions",
                "project_instructions must be true if project_settings is: the program then reads the "
                "directory's instructions itself");
    }

    std::string_view servers_elsewhere() const {
        if (settings_.kind == AgentKind::exec) return "the command decides about its tools";
        return "it starts no servers in a directory that it does not trust; project_settings trusts it";
    }

    // Checks the settings that are only for programs with an option for them.
    void check_model() {
        const AgentKind kind = settings_.kind;
        if (kind == AgentKind::shell) return;
        const bool has_effort = kind == AgentKind::claude || kind == AgentKind::codex;
        if (!settings_.effort.empty() && !has_effort)
            refuse("effort", base::concat(no_option(), "; claude and codex have one"));
        if (settings_.effort == "minimal" && kind == AgentKind::claude)
            refuse("effort", R"(its lowest effort is "low")");
        const bool has_servers =
            has_effort || kind == AgentKind::acp || (kind == AgentKind::gemini && settings_.project_settings);
        if (!settings_.mcp.empty() && !has_servers) refuse("mcp", servers_elsewhere());
        if (!settings_.fallback_model.empty() && kind != AgentKind::claude)
            refuse("fallback_model", base::concat(no_option(), "; only claude has one"));
        if (!settings_.fallback_model.empty() && !names_models(settings_.fallback_model))
            add("fallback_model",
                "fallback_model must be the name of a model, or several with commas between them");
    }

    // Whether there is something before and after each comma.
    static bool names_models(std::string_view text) {
        bool is_name_due = true;
        for (char c : text) {
            if (c == ',' && is_name_due) return false;
            is_name_due = c == ',' || (is_name_due && (c == ' ' || c == '\t'));
        }
        return !is_name_due;
    }

    std::string_view no_option() const {
        return settings_.kind == AgentKind::exec ? "the command chooses its model itself"
                                                 : "the program has no option for it";
    }

    // Checks the command that starts the program.
    void check_command() {
        if (settings_.kind == AgentKind::shell) return;
        if (!has_command(settings_.kind)) {
            if (!settings_.command.empty())
                refuse("exec", "it is for commands; give the path of the program as program");
            return;
        }
        if (settings_.command.find_first_not_of(" \t\r\n") == std::string::npos)
            add("exec",
                base::concat("an agent of the kind ", kind_name(settings_.kind),
                             " needs exec, a shell command such as ",
                             settings_.kind == AgentKind::acp ? "\"opencode acp\"" : "\"./agent.sh\""));
        if (!settings_.program.empty()) refuse("program", "its program is started by exec");
        if (!settings_.model.empty()) refuse("model", "pass it in the way of the program, in exec or env");
    }

    // A command of the user's own decides about these itself.
    void check_exec() {
        if (settings_.permissions != Permissions::read) refuse("permissions", "the command decides about it");
        if (!settings_.arguments.empty()) refuse("arguments", "write them into the command");
        if (settings_.stall != Settings().stall)
            refuse("stall_secs", "a command prints its response at the end; give the step a timeout");
        if (settings_.prices) refuse("prices", "a command does not tell how many tokens a task uses");
    }

    // Each task says what is run, and for how long.
    void check_shell() {
        constexpr std::string_view reason = only_commands;
        const Settings none;
        if (!settings_.command.empty()) refuse("exec", reason);
        if (!settings_.program.empty()) refuse("program", reason);
        if (!settings_.model.empty()) refuse("model", reason);
        if (!settings_.fallback_model.empty()) refuse("fallback_model", reason);
        if (!settings_.effort.empty()) refuse("effort", reason);
        if (!settings_.mcp.empty()) refuse("mcp", reason);
        if (!settings_.arguments.empty()) refuse("arguments", reason);
        if (settings_.permissions != none.permissions) refuse("permissions", reason);
        if (!settings_.allow_tools.empty()) refuse("allow_tools", reason);
        if (settings_.max_turns) refuse("max_turns", reason);
        if (settings_.max_usd) refuse("max_usd", reason);
        if (settings_.prices) refuse("prices", reason);
        if (settings_.stall != none.stall) refuse("stall_secs", reason);
    }

    const Settings& settings_;
    std::vector<SettingProblem> problems_;
};

}  // namespace

std::string unknown_cost(const Settings& settings) {
    bool tells = settings.kind == AgentKind::claude || !has_driver(settings.kind);
    if (tells || settings.prices) return "";
    if (settings.kind == AgentKind::acp)
        return base::concat("the cost of agents of the kind acp is not known: ", no_acp_tokens);
    if (list_price(settings.kind, settings.model) != nullptr) return "";
    std::string why =
        settings.model.empty() ? "" : base::concat(", and the price of ", settings.model, " is not known");
    return base::concat(kind_name(settings.kind), " does not tell what a task costs", why,
                        "; give its agents prices, in dollars per million tokens, or a model whose price is "
                        "known, such as ",
                        settings.kind == AgentKind::codex ? "gpt-5.5" : "gemini-2.5-pro");
}

base::Labels offered_labels(const AgentGroup& group) {
    return group.settings.kind == AgentKind::shell ? group.labels.with_shell_label().value() : group.labels;
}

std::string_view kind_name(AgentKind kind) {
    return names_of_kinds.at(static_cast<std::size_t>(kind));
}

std::optional<AgentKind> parse_kind(std::string_view name) {
    auto found = std::ranges::find(names_of_kinds, name);
    if (found == names_of_kinds.end()) return std::nullopt;
    return static_cast<AgentKind>(found - names_of_kinds.begin());
}

std::span<const std::string_view> kind_names() {
    return names_of_kinds;
}

std::vector<SettingProblem> problems_of(const Settings& settings) {
    return Checker(settings).run();
}

base::Result<void> check(const Settings& settings) {
    auto problems = problems_of(settings);
    if (problems.empty()) return {};
    return base::invalid(std::move(problems.front().message));
}

}  // namespace agent_driver
