#include "run_options.hpp"

#include "base/text.hpp"
#include "cli/common_options.hpp"
#include "run_option_table.hpp"

#include <algorithm>
#include <thread>

namespace barnum {

namespace {

std::size_t default_jobs() {
    return std::max<std::size_t>(4, 2 * std::size_t{std::thread::hardware_concurrency()});
}

// What is the default anyway is left out.
std::map<std::string, std::string> kept_options(const cli::Options& given) {
    std::map<std::string, std::string> kept;
    for (const RunOption& row : all_run_options())
        if (row.on_resume == OnResume::kept && cli::is_given(row.option, given))
            if (std::string text = cli::texts_of(row.option, given).front();
                text.empty() || text != row.option.value.preset)
                kept[row.option.name] = text;
    return kept;
}

base::Result<void> check_input(const RunOptions& options) {
    if (options.config.empty() && !options.resume_from)
        return base::invalid("--config is missing: the path of a config, or its text");
    if (!options.resume_from) return {};
    std::string_view wrong = !options.config.empty()    ? "--config"
                             : options.initial_state    ? "--initial-state"
                             : options.entrypoint_value ? "--entrypoint-value"
                                                        : "";
    if (wrong.empty()) return {};
    return base::invalid(base::concat("--resume-from cannot be combined with ", wrong,
                                      ": config and values are those in the state log"));
}

base::Result<void> check_agents(const RunOptions& options) {
    if ((options.agents > 0) == options.agent_exec.empty())
        return base::invalid(
            "--agents K and --agent-exec CMD must be given together: how many agents, and what each of them "
            "runs");
    if (options.has_own_pool() && !options.embedded_pool)
        return base::invalid(
            "--no-embedded-pool cannot be combined with --agents unless --pool is given: without --pool "
            "the run hosts a pool of its own for its agents; give the pool that they are to serve with "
            "--pool");
    return {};
}

// A stub has no agents, no pool and no log: these options ask for something that would not happen.
base::Result<void> check_trial(const RunOptions& options) {
    if (options.dry_run && options.stub)
        return base::invalid(
            "--dry-run and --stub cannot be combined: the first only prints the start of a run, the second "
            "walks through all of it");
    if (!options.stub) return {};
    auto refuse = [](std::string_view option, std::string_view reason) {
        return base::invalid(base::concat("--stub cannot be combined with ", option, ": ", reason));
    };
    if (options.resume_from) return refuse("--resume-from", "it begins with the first tasks");
    if (options.state_log) return refuse("--state-log", "made-up tasks cannot be resumed");
    if (options.agents > 0) return refuse("--agents", "its responses are made up");
    if (options.wake) return refuse("--wake", "it runs no commands");
    if (options.progress != ProgressMode::automatic && options.progress != ProgressMode::none)
        return refuse("--progress", "it prints its walk on stdout");
    return {};
}

}  // namespace

base::Result<RunOptions> read_run_options(const cli::Options& given) {
    RunOptions options;
    options.jobs = default_jobs();
    cli::read(all_run_options(), given, options);
    options.kept = kept_options(given);
    for (auto* check : {check_input, check_agents, check_trial})
        if (auto checked = check(options); !checked) return checked.error();
    return options;
}

void set_root(RunOptions& options, const std::string& root) {
    options.root = root;
    options.kept[cli::root_option().name] = root;
}

}  // namespace barnum
