#include "run_plan.hpp"

#include "base/text.hpp"
#include "config/load.hpp"
#include "fail.hpp"
#include "first_tasks.hpp"
#include "io/log.hpp"
#include "problem_output.hpp"
#include "resume_command.hpp"
#include "statelog/later_log.hpp"
#include "statelog/replay_file.hpp"
#include "stub_walk.hpp"
#include "workflow/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace barnum {

namespace {

// A stub makes the first task's value up as well, unless one is given.
base::Result<RunOptions> with_stub_value(const config::WorkflowConfig& config, RunOptions options) {
    if (!options.stub || options.initial_state || options.entrypoint_value || !config.entrypoint)
        return options;
    auto value = stub_value(config.step(*config.entrypoint));
    if (!value)
        return base::invalid(
            base::concat(value.error().message, "; give the first task's value with --entrypoint-value"));
    options.entrypoint_value = std::move(*value);
    return options;
}

// The config and the first tasks, or the code after their mistakes are printed.
std::variant<std::pair<config::WorkflowConfig, std::vector<config::NewTask>>, int> load(
    const RunOptions& options) {
    auto loaded = config::load(options.config);
    print_problems(loaded.problems);
    if (!loaded.config)
        return fail(cli::ExitCode::usage,
                    base::concat("the config has ", base::counted(loaded.problems.count(), "error"),
                                 "; nothing was started"));
    auto values = with_stub_value(*loaded.config, options);
    if (!values) return fail(cli::ExitCode::failure, values.error().message);
    auto tasks = first_tasks(*loaded.config, *values);
    if (!tasks) return fail(cli::ExitCode::usage, tasks.error().message);
    return std::pair(std::move(*loaded.config), std::move(*tasks));
}

void warn_of_tail(const std::string& path, const statelog::Tail& tail) {
    if (tail.dropped_bytes == 0) return;
    io::log::warn(path, ": the last ", tail.dropped_bytes,
                  " bytes are ignored: the run was ended while it wrote ",
                  tail.torn_group ? "a group of entries" : "an entry");
}

// The run's commands need their directory, or every one of them would fail.
base::Result<void> check_directory(const config::WorkflowConfig& config) {
    std::error_code ignored;
    bool is_directory = std::filesystem::is_directory(config.directory, ignored);
    if (is_directory && ::access(config.directory.c_str(), X_OK) == 0) return {};
    if (!is_directory) errno = ENOTDIR;
    return base::system_error(
        base::concat("the directory that the run's commands run in, ", config.directory));
}

// Another program's log may not say where commands run; the directory of its config is not known then.
std::shared_ptr<const config::WorkflowConfig> with_directory(
    std::shared_ptr<const config::WorkflowConfig> config, const std::string& current) {
    if (config->directory.starts_with('/')) return config;
    auto changed = std::make_shared<config::WorkflowConfig>(*config);
    changed->directory = (std::filesystem::path(current) / config->directory).string();
    io::log::warn("the state log does not say in which directory commands run; they run in ",
                  changed->directory);
    return changed;
}

int nothing_to_do(const std::string& path, const statelog::Replay& log) {
    std::string text = base::concat("nothing to do: the run in ", path, " has finished");
    if (log.dropped_count() == 0)
        io::log::info(text);
    else
        io::log::write_with_command(
            io::log::Level::warn,
            base::concat(text, ", ", base::counted(log.dropped_count(), "task"), " dropped; the reasons:"),
            inspect_command_line(path));
    return cli::ExitCode::ok;
}

PlanOrCode plan_new(const RunOptions& options) {
    auto loaded = load(options);
    if (auto* code = std::get_if<int>(&loaded)) return *code;
    auto& [config, tasks] = std::get<0>(loaded);
    auto shared = std::make_shared<const config::WorkflowConfig>(std::move(config));
    workflow::State state(*shared);
    auto group = workflow::decide_initial(state, std::move(tasks));
    for (const workflow::Entry& entry : group)
        workflow::apply(*shared, state, entry).value();
    return RunPlan{std::move(shared), {std::move(state), {}, 0}, std::move(group), {}};
}

PlanOrCode plan_resumed(const RunOptions& options) {
    statelog::LockWait wait;
    wait.on_wait = [&] {
        io::log::info(
            "waiting until the commands of a killed run have ended, which still hold the state log ",
            *options.resume_from);
    };
    auto old = statelog::OldLog::open(*options.resume_from, wait);
    if (!old) return fail(cli::ExitCode::usage, old.error().message);
    auto replayed = statelog::replay_file(old->fd(), old->path());
    if (!replayed) return fail(cli::ExitCode::io_error, replayed.error().message);
    statelog::Replay& replay = replayed->replay;
    warn_of_tail(old->path(), replayed->tail);
    if (replay.state().over()) return nothing_to_do(old->path(), replay);
    if (auto later = statelog::later_log(old->path()))
        io::log::warn(
            old->path(), " has been resumed before, and that run's log is ", *later,
            ": tasks that were done there are executed again; resume from the newest log to avoid that");
    auto config = with_directory(replay.config(), options.directory);
    if (auto usable = check_directory(*config); !usable)
        return fail(cli::ExitCode::usage, usable.error().message);
    runner::Start start{replay.take_state(), replay.dropped(), replay.dropped_count()};
    return RunPlan{std::move(config),
                   std::move(start),
                   {},
                   EarlierRun{std::move(*old), replayed->tail.committed_bytes, replay.header().run_id,
                              replay.header().has_checksum}};
}

}  // namespace

PlanOrCode plan_run(const RunOptions& options) {
    return options.resume_from ? plan_resumed(options) : plan_new(options);
}

bool has_pool_steps(const config::WorkflowConfig& config) {
    return std::ranges::any_of(config.steps, [](const config::Step& step) { return step.is_pool(); });
}

}  // namespace barnum
