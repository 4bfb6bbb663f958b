#include "commands/agents/agent_settings.hpp"

#include "agent_driver/setting_table.hpp"
#include "agents/start_check.hpp"
#include "base/current_directory.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"

#include <algorithm>
#include <filesystem>

namespace troupe {

namespace {

using agent_driver::AgentGroup;
using agent_driver::AgentKind;
using agent_driver::Setting;
using agent_driver::SettingType;

// An option may be given several times, each time with one value: --label.
std::string option_name(const Setting& setting) {
    if (setting.name == "labels") return "label";
    if (setting.name == "prices") return "price";
    std::string name(setting.name);
    std::ranges::replace(name, '_', '-');
    return name;
}

cli::Option kind_option() {
    return {"kind",
            cli::choice("KIND",
                        {{"exec", "a shell command for each task, --exec; the default with --exec"},
                         {"claude", "Claude Code"},
                         {"codex", "Codex CLI"},
                         {"gemini", "Gemini CLI"},
                         {"acp", "a program that speaks the Agent Client Protocol, started by --exec"},
                         {"shell", "runs the Commands of workflows: the scripts of whoever uses the pool"}}),
            "what does the tasks"};
}

cli::Value value_of(const Setting& setting) {
    auto whole = [](double number) { return static_cast<std::int64_t>(number); };
    switch (setting.type) {
        case SettingType::whole_number:
            return cli::whole_number("N", whole(setting.range.least), whole(setting.range.most));
        case SettingType::number:
            return cli::text("X", "a number (for example 0.5)");
        case SettingType::choice: {
            std::vector<cli::Candidate> choices;
            for (const agent_driver::SettingChoice& choice : setting.choices)
                choices.push_back({std::string(choice.name), std::string(choice.description)});
            return cli::choice("WHAT", std::move(choices));
        }
        case SettingType::truth:
            return cli::choice("WHETHER", {{"true", ""}, {"false", ""}});
        case SettingType::labels:
            return cli::text("LABEL", "a label (for example reviewer)").as_list();
        case SettingType::variables:
            return cli::text("NAME[=VALUE]", "a variable (for example LANG=C)").as_list();
        case SettingType::prices:
            return cli::text("KIND=X", "a price (for example input=3)").as_list();
        case SettingType::texts:
            return cli::text("TEXT", "a text").as_list();
        case SettingType::text:
            break;
    }
    if (setting.name == "directory") return cli::directory("DIR", "the path of a directory");
    if (setting.name == "mcp") return cli::file("FILE", "the path of a file");
    if (setting.name == "exec") return cli::script("CMD", "a shell command (for example ./agent.sh)");
    return cli::text("TEXT", "a text");
}

// The description as the summary of an option: one clause without a full stop.
std::string summary_of(const Setting& setting) {
    std::string text(setting.description);
    if (text.ends_with('.')) text.pop_back();
    if (!text.empty())
        text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return setting.is_list() ? text + "; may be repeated" : text;
}

cli::Option option_of(const Setting& setting) {
    return {option_name(setting), value_of(setting), summary_of(setting)};
}

base::Result<AgentKind> kind_of(const cli::Options& given) {
    auto kinds = cli::texts_of(kind_option(), given);
    if (!kinds.empty()) return *agent_driver::parse_kind(kinds.front());
    const Setting& exec = *agent_driver::find_setting("exec");
    if (cli::is_given(option_of(exec), given)) return AgentKind::exec;
    return base::invalid(
        "--kind or --exec is missing: which program does the tasks (for example --kind claude), or which "
        "shell command (for example --exec ./agent.sh)");
}

// Puts the option's name in the place of the setting's if the message begins with that.
base::Error named(const Setting& setting, std::string_view message) {
    if (!message.starts_with(setting.name)) return base::invalid(std::string(message));
    return base::invalid(base::concat("--", option_name(setting), message.substr(setting.name.size())));
}

base::Result<void> check_settings(const agent_driver::Settings& settings) {
    auto problems = agent_driver::problems_of(settings);
    if (problems.empty()) return {};
    return named(*agent_driver::find_setting(problems.front().setting), problems.front().message);
}

base::Result<void> make_paths_absolute(AgentGroup& group) {
    auto current = base::current_directory();
    if (current.has_error()) return current.error();
    auto resolve = [&current](std::string& path) {
        path = (std::filesystem::path(*current) / path).lexically_normal().string();
        if (path.size() > 1 && path.ends_with('/')) path.pop_back();
    };
    agent_driver::Settings& settings = group.settings;
    resolve(settings.directory);
    if (!settings.mcp.empty()) resolve(settings.mcp);
    if (settings.program.find('/') != std::string::npos) resolve(settings.program);
    return {};
}

}  // namespace

std::vector<cli::Option> agent_setting_options() {
    std::vector<cli::Option> options{kind_option()};
    for (const Setting& setting : agent_driver::setting_table())
        options.push_back(option_of(setting));
    return options;
}

base::Result<AgentGroup> read_agent_settings(const cli::Options& given) {
    AgentGroup group;
    auto kind = kind_of(given);
    if (kind.has_error()) return kind.error();
    group.settings.kind = *kind;
    for (const Setting& setting : agent_driver::setting_table()) {
        cli::Option option = option_of(setting);
        auto texts = cli::texts_of(option, given);
        if (texts.empty()) continue;
        if (auto done = agent_driver::set(group, setting, texts); done.has_error())
            return named(setting, done.error().message);
    }
    if (auto placed = make_paths_absolute(group); placed.has_error()) return placed.error();
    if (auto checked = check_settings(group.settings); checked.has_error()) return checked.error();
    std::string_view origin = group.settings.command.empty() ? "--kind" : "--exec";
    if (auto usable = agents::check_start(origin, group.settings); usable.has_error()) return usable.error();
    if (auto fit = agents::check_open_files(group.count); fit.has_error()) return fit.error();
    return group;
}

}  // namespace troupe
