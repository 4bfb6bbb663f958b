#include "launch/retry_plan.hpp"

#include "base/text.hpp"
#include "config/load.hpp"
#include "io/log.hpp"
#include "json/shown_word.hpp"
#include "launch/earlier_log.hpp"
#include "runs/next_commands.hpp"
#include "runs/run_lookup.hpp"
#include "statelog/replay_file.hpp"
#include "statelog/without_entries.hpp"
#include "workflow/history.hpp"

#include <ranges>
#include <utility>
#include <vector>

namespace launch {

namespace {

struct EarlierHistory {
    statelog::ReplayedFile file;
    workflow::History history;
};

base::Result<EarlierHistory> read_history(const statelog::OldLog& log) {
    workflow::History history;
    auto file = statelog::replay_file(log.fd(), log.path(), [&]() -> statelog::Replay::Observer {
        history = {};  // a log with a torn group is read twice
        return [&](const statelog::Replay&, const statelog::Record& record) { history.add(record.entry); };
    });
    if (!file) return file.error();
    return EarlierHistory{std::move(*file), std::move(history)};
}

// A user who has mended the config may expect that it counts.
void tell_of_changed_config(const std::string& log_path, const statelog::Replay& replay) {
    auto run = runs::find_named_run(log_path);
    if (!run || !run->found || run->found->record.config.empty()) return;
    const runs::RunRecord& record = run->found->record;
    auto now = config::load(record.config);
    if (!now.config || now.config->resolved == replay.config()->resolved) return;
    io::log::warn(record.config,
                  " has changed since then, and the config of the earlier run is used; to use the changed "
                  "one, and keep the "
                  "results that it does not affect: barnum run --config ",
                  json::shown_word(record.config), " --reuse ", record.id);
}

// What that run has done is not taken over.
void tell_of_other_retry(const std::string& log_path) {
    auto run = runs::find_named_run(log_path);
    auto all = runs::find_runs();
    if (!run || !run->found || !all) return;
    for (const runs::FoundRun& other : *all | std::views::reverse) {
        if (other.record.retries != run->found->record.id) continue;
        return io::log::warn(
            "run ", other.record.id,
            " has tried dropped tasks of this run again; what it has done is not taken over (`barnum retry ",
            other.record.id, "` does that)");
    }
}

Refusal nothing_dropped(const std::string& path, const statelog::Replay& replay) {
    if (!replay.state().over())
        return wrong_usage(base::concat("no task of the run in ", path, " was dropped; `",
                                        runs::short_command_to_resume(path), "` continues it"));
    io::log::info("nothing to retry: the run in ", path, " has finished, and no task was dropped");
    return {Refusal::Kind::nothing_to_do, ""};
}

Planned plan(const RunOptions& options, statelog::OldLog log, const EarlierHistory& earlier,
             const std::vector<std::uint32_t>& chosen) {
    workflow::LeftOut left_out(earlier.history, chosen);
    TakenResults taken;
    auto partial = statelog::replay_without(log.fd(), log.path(), earlier.file.tail.committed_bytes,
                                            [&](const workflow::Entry& entry) {
                                                bool is_left_out = left_out.contains(entry);
                                                if (!is_left_out) taken.add(entry);
                                                return is_left_out;
                                            });
    if (!partial) return io_error(partial.error().message);
    auto config = config_to_continue(partial->replay.config(), options.directory);
    if (!config) return wrong_usage(config.error().message);
    EarlierRun run{std::move(log), std::move(partial->parts)};
    run.has_checksums = partial->replay.header().has_checksum;
    run.is_retried = true;
    run.has_finished = earlier.file.replay.state().over();
    run.first_run_id = partial->replay.header().run_id;
    run.initial_tasks = partial->replay.header().initial_tasks;
    auto reuse = reuse_again(partial->replay.header().reuses, *config, taken);
    statelog::Start start = statelog::start_after(partial->replay);
    start.asked_since.clear();  // whoever retries asks again
    return RunPlan{std::move(*config), std::move(start), {}, std::move(run), std::move(reuse)};
}

Planned resumed_already(const std::string& later_log) {
    return wrong_usage(base::concat("this run has been resumed, and that run's log is ", later_log,
                                    "; retry the tasks of the newest run"));
}

}  // namespace

Planned plan_retry(const RunOptions& options) {
    auto log = open_earlier_log(*options.resume_from, wait_of_run);
    if (!log && log.error().code != std::errc::resource_unavailable_try_again)
        return wrong_usage(log.error().message);
    auto later = runs::later_log_of(*options.resume_from);
    if (later) return resumed_already(*later);  // which may have a lock on this log as well
    if (!log) return wrong_usage(log.error().message);
    auto earlier = read_history(*log);
    if (!earlier) return io_error(earlier.error().message);
    const statelog::Replay& replay = earlier->file.replay;
    warn_of_tail(log->path(), earlier->file.tail);
    auto chosen = chosen_tasks(*options.retries, earlier->history, *replay.config());
    if (!chosen) return wrong_usage(chosen.error().message);
    if (chosen->empty()) return nothing_dropped(log->path(), replay);
    tell_of_other_retry(log->path());
    tell_of_changed_config(log->path(), replay);
    return plan(options, std::move(*log), *earlier, *chosen);
}

}  // namespace launch
