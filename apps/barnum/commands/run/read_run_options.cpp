#include "commands/run/read_run_options.hpp"

#include "agent_driver/agent_text.hpp"
#include "base/byte_size.hpp"
#include "base/text.hpp"
#include "cli/common_options.hpp"
#include "commands/run/run_option_table.hpp"
#include "launch/keep_output.hpp"
#include "runs/run_reference.hpp"

#include <algorithm>
#include <thread>

namespace barnum {

namespace {

std::size_t default_jobs() {
    return std::max<std::size_t>(4, 2 * std::size_t{std::thread::hardware_concurrency()});
}

// A value that is the default anyway is left out.
std::map<std::string, std::vector<std::string>> kept_options(const cli::Options& given) {
    std::map<std::string, std::vector<std::string>> kept;
    for (const RunOption& row : all_run_options())
        if (row.on_resume == OnResume::kept && cli::is_given(row.option, given))
            for (const std::string& text : cli::texts_of(row.option, given))
                if (text.empty() || text != row.option.value.preset) kept[row.option.name].push_back(text);
    return kept;
}

agent_driver::AgentGroup exec_group(const launch::RunOptions& options) {
    agent_driver::AgentGroup group;
    group.settings.kind = agent_driver::AgentKind::exec;
    group.settings.command = options.agent_exec;
    group.count = options.exec_agents;
    return group;
}

base::Result<agent_driver::AgentGroup> parse_agent(const std::string& text) {
    auto group = agent_driver::parse_agent_text(text);
    if (!group) return base::with_context("--agent", group.error());
    agent_driver::Settings settings = group->settings;
    settings.directory = "/";  // the real one is known later
    auto possible = agent_driver::check(settings);
    if (!possible) return base::with_context("--agent", possible.error());
    return group;
}

// The agents are kept in the form in which the command that resumes the run repeats them.
base::Result<void> read_agents(launch::RunOptions& options) {
    if (options.exec_agents > 0) options.agents.push_back(exec_group(options));
    std::vector<std::string> kept;
    for (const std::string& text : options.agent_texts) {
        auto group = parse_agent(text);
        if (!group) return group.error();
        kept.push_back(agent_driver::agent_text(*group));
        options.agents.push_back(std::move(*group));
    }
    if (!kept.empty()) options.kept["agent"] = std::move(kept);
    return {};
}

base::Result<void> check_input(const launch::RunOptions& options) {
    if (options.config.empty() && !options.resume_from)
        return base::invalid("--config is missing: the path of a config, or its text");
    if (!options.resume_from) return {};
    std::string_view wrong = !options.config.empty()    ? "--config"
                             : options.initial_state    ? "--initial-state"
                             : options.entrypoint_value ? "--entrypoint-value"
                             : options.parameters       ? "-p"
                             : options.reuse            ? "--reuse"
                                                        : "";
    if (wrong.empty()) return {};
    std::string_view reason = options.reuse ? ": a resumed run reuses the results that it reused before"
                                            : ": config and values are those in the state log";
    return base::invalid(base::concat("--resume-from cannot be combined with ", wrong, reason));
}

base::Result<void> read_parameters(launch::RunOptions& options) {
    if (options.parameter_texts.empty()) return {};
    auto parameters = launch::parse_parameters(options.parameter_texts);
    if (!parameters) return parameters.error();
    options.parameters = std::move(*parameters);
    return {};
}

base::Result<void> check_parameters(const launch::RunOptions& options) {
    if (!options.parameters) return {};
    if (options.entrypoint_value)
        return base::invalid(
            "-p cannot be combined with --entrypoint-value: the first gives the members of the value one by "
            "one, the second all of it");
    if (options.initial_state)
        return base::invalid(
            "-p cannot be combined with --initial-state: it gives the value of the entrypoint's task, and "
            "the "
            "run begins with other tasks");
    return {};
}

base::Result<void> check_agents(const launch::RunOptions& options) {
    if ((options.exec_agents > 0) == options.agent_exec.empty())
        return base::invalid(
            "--agents K and --agent-exec CMD must be given together: how many agents, and what each of them "
            "runs");
    return launch::check_own_pool(options);
}

// A stub has no agents, no pool and no log: these options ask for something that would not happen.
base::Result<void> check_trial(const launch::RunOptions& options) {
    if (options.dry_run && options.stub)
        return base::invalid(
            "--dry-run and --stub cannot be combined: the first only prints the start of a run, the second "
            "walks through all of it");
    if (!options.stub) return {};
    auto refuse = [](std::string_view option, std::string_view reason) {
        return base::invalid(base::concat("--stub cannot be combined with ", option, ": ", reason));
    };
    if (options.resume_from) return refuse("--resume-from", "it begins with the first tasks");
    if (options.reuse) return refuse("--reuse", "its responses are made up");
    if (options.state_log) return refuse("--state-log", "made-up tasks cannot be resumed");
    if (options.exec_agents > 0) return refuse("--agents", "its responses are made up");
    if (!options.agent_texts.empty()) return refuse("--agent", "its responses are made up");
    if (options.wake) return refuse("--wake", "it runs no commands");
    if (options.on_end) return refuse("--on-end", "it runs no commands");
    if (options.progress != progress::ProgressMode::automatic &&
        options.progress != progress::ProgressMode::none)
        return refuse("--progress", "it prints its walk on stdout");
    return {};
}

base::Result<void> check_detach(const launch::RunOptions& options) {
    if (!options.detach) return {};
    if (options.dry_run || options.stub)
        return base::invalid(
            base::concat("--detach cannot be combined with ", options.dry_run ? "--dry-run" : "--stub",
                         ": it prints on this terminal, and has no run to continue elsewhere"));
    if (options.progress == progress::ProgressMode::tty)
        return base::invalid(
            "--detach cannot be combined with --progress tty: a detached run has no terminal");
    return {};
}

base::Result<void> check_name(const launch::RunOptions& options) {
    if (options.name.empty() || runs::is_name(options.name)) return {};
    return base::invalid(base::concat("--name ", runs::name_rule, ", not '", options.name, "'"));
}

base::Result<void> read_keep_output(launch::RunOptions& options) {
    auto keep_output = launch::parse_keep_output(options.keep_output_text);
    if (!keep_output)
        return base::invalid(base::concat(
            "--keep-output must be all, none, or a number of bytes from 1: ", base::byte_size_form,
            ", for example 256K, not '", options.keep_output_text, "'"));
    options.keep_output = *keep_output;
    return {};
}

}  // namespace

base::Result<launch::RunOptions> read_run_options(const cli::Options& given) {
    launch::RunOptions options;
    options.jobs = default_jobs();
    cli::read(all_run_options(), given, options);
    options.kept = kept_options(given);
    for (auto* read : {read_agents, read_parameters, read_keep_output})
        if (auto done = read(options); !done) return done.error();
    for (auto* check : {check_input, check_parameters, check_name, check_agents, check_trial, check_detach})
        if (auto checked = check(options); !checked) return checked.error();
    return options;
}

void set_root(launch::RunOptions& options, const std::string& root) {
    options.root = root;
    options.kept[cli::root_option().name] = {root};
}

}  // namespace barnum
