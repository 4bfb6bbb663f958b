#include "launch/plan_run.hpp"

#include "base/text.hpp"
#include "config/load.hpp"
#include "io/log.hpp"
#include "launch/earlier_log.hpp"
#include "launch/first_tasks.hpp"
#include "launch/retry_plan.hpp"
#include "launch/reuse_plan.hpp"
#include "runs/next_commands.hpp"
#include "runs/record_counts.hpp"
#include "runs/run_lookup.hpp"
#include "samples/stub_walk.hpp"
#include "statelog/replay_file.hpp"
#include "workflow/machine.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace launch {

namespace {

// A stub makes the first task's value up as well, unless one is given.
bool is_made_up(const config::WorkflowConfig& config, const RunOptions& options) {
    return options.stub && !options.initial_state && !options.entrypoint_value && !options.parameters &&
           config.entrypoint;
}

base::Result<RunOptions> with_stub_value(const config::WorkflowConfig& config, RunOptions options) {
    if (!is_made_up(config, options)) return options;
    auto value = samples::stub_value(config.step(*config.entrypoint));
    if (!value)
        return base::invalid(base::concat(value.error().message,
                                          "; give the first task's value with --entrypoint-value or -p"));
    options.entrypoint_value = std::move(*value);
    return options;
}

struct Loaded {
    config::WorkflowConfig config;
    std::vector<config::NewTask> tasks;
};

std::variant<Loaded, Refusal> load(const RunOptions& options, const TellProblems& tell) {
    auto loaded = config::load(options.config);
    tell(loaded.problems);
    if (!loaded.config)
        return wrong_usage(base::concat("the config has ", base::counted(loaded.problems.count(), "error"),
                                        "; nothing was started"));
    auto values = with_stub_value(*loaded.config, options);
    if (!values) return Refusal{Refusal::Kind::failed, values.error().message};
    auto tasks = first_tasks(*loaded.config, *values);
    if (!tasks) return wrong_usage(tasks.error().message);
    if (!is_made_up(*loaded.config, options))
        if (auto checked = check_images(*loaded.config, *tasks); !checked)
            return wrong_usage(checked.error().message);
    return Loaded{std::move(*loaded.config), std::move(*tasks)};
}

// The run was killed after its last task, or its record could not be written: from now on it is not lost.
void complete_record(const std::string& log_path, const workflow::State& state) {
    auto run = runs::find_named_run(log_path);
    if (!run || !run->found || run->found->record.end) return;
    if (!runs::has_directory(*run->found) || run->found->record.format > runs::record_format) return;
    runs::take_counts(*run->found, state);
    auto written = runs::RunDirectory(run->found->path)
                       .write(run->found->record, runs::RunDirectory::Durability::written);
    if (!written) io::log::warn(written.error().message);
}

Refusal nothing_to_do(const std::string& path, const statelog::Replay& log) {
    std::string text = base::concat("nothing to do: the run in ", path, " has finished");
    if (log.dropped_count() == 0)
        io::log::info(text);
    else
        io::log::write_with_command(io::log::Level::warn,
                                    base::concat(text, ", ", base::counted(log.dropped_count(), "task"),
                                                 " dropped, which `barnum retry` tries again; the reasons:"),
                                    runs::command_to_inspect(path));
    return {Refusal::Kind::nothing_to_do, ""};
}

Planned plan_new(const RunOptions& options, const TellProblems& tell) {
    auto loaded = load(options, tell);
    if (auto* refusal = std::get_if<Refusal>(&loaded)) return std::move(*refusal);
    auto& [config, tasks] = std::get<Loaded>(loaded);
    auto shared = std::make_shared<const config::WorkflowConfig>(std::move(config));
    std::optional<ReusePlan> reuse;
    if (options.reuse) {
        auto read = plan_reuse(options, shared);
        if (auto* refusal = std::get_if<Refusal>(&read)) return std::move(*refusal);
        reuse = std::get<ReusePlan>(std::move(read));
    }
    workflow::State state(*shared);
    auto group = workflow::decide_initial(state, std::move(tasks));
    for (const workflow::Entry& entry : group)
        workflow::apply(*shared, state, entry).value();
    return RunPlan{std::move(shared), {std::move(state), {}, 0}, std::move(group), {}, std::move(reuse)};
}

// The log of a run that another run continues is in use for as long as that one runs.
std::string why_not_open(const RunOptions& options, const base::Error& error) {
    const bool is_in_use = error.code == std::errc::resource_unavailable_try_again;
    if (!is_in_use || !options.resumes_newest) return error.message;
    auto later = runs::later_log_of(*options.resume_from);
    if (!later) return error.message;
    return base::concat("this run has been resumed already, and that run's log is ", *later,
                        "; that run goes on, and has the tasks that were left here");
}

Planned plan_resumed(const RunOptions& options) {
    auto old = open_earlier_log(*options.resume_from, wait_of_run);
    if (!old) return wrong_usage(why_not_open(options, old.error()));
    TakenResults taken;
    auto replayed = statelog::replay_file(old->fd(), old->path(), [&] {
        taken = {};  // a log with a torn group is read twice
        return [&](const statelog::Replay&, const statelog::Record& record) { taken.add(record.entry); };
    });
    if (!replayed) return io_error(replayed.error().message);
    statelog::Replay& replay = replayed->replay;
    warn_of_tail(old->path(), replayed->tail);
    if (replay.state().over()) {
        if (!options.dry_run) complete_record(old->path(), replay.state());
        return nothing_to_do(old->path(), replay);
    }
    auto later = runs::later_log_of(old->path());
    if (later && options.resumes_newest)
        return wrong_usage(base::concat("this run has been resumed already, and that run's log is ", *later,
                                        "; resume the newest run, or this one by `",
                                        runs::short_command_to_resume(old->path()),
                                        "`, which does again what was done there"));
    if (later)
        io::log::warn(
            old->path(), " has been resumed before, and that run's log is ", *later,
            ": tasks that were done there are executed again; resume from the newest log to avoid that");
    auto config = config_to_continue(replay.config(), options.directory);
    if (!config) return wrong_usage(config.error().message);
    EarlierRun earlier{std::move(*old), {{0, replayed->tail.committed_bytes}}};
    if (replay.header().format < statelog::log_format) {
        earlier.header = replay.header();
        earlier.parts.front().begin = replay.header_end();
    }
    earlier.has_checksums = replay.header().has_checksum;
    earlier.first_run_id = replay.header().run_id;
    auto reuse = reuse_again(replay.header().reuses, *config, taken);
    return RunPlan{
        std::move(*config), statelog::start_after(replay), {}, std::move(earlier), std::move(reuse)};
}

}  // namespace

Planned plan_run(const RunOptions& options, const TellProblems& tell) {
    if (options.retries) return plan_retry(options);
    return options.resume_from ? plan_resumed(options) : plan_new(options, tell);
}

}  // namespace launch
