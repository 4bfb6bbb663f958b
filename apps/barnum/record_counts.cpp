#include "record_counts.hpp"

#include "cli/command_line.hpp"
#include "runner/runner.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"
#include "statelog/replay_file.hpp"

namespace barnum {

void take_counts(runs::FoundRun& run, const workflow::State& state) {
    runs::RunRecord& record = run.record;
    runner::Counts counts = runner::counts_of(state);
    record.tasks = {counts.done, counts.left, counts.dropped};
    record.busy_agents.reset();
    if (!state.over()) return;
    bool is_whole = counts.dropped == 0;
    record.end = runs::RunEnd{runs::end_of(run), is_whole ? cli::ExitCode::ok : cli::ExitCode::failure,
                              is_whole ? "finished" : "failed"};
}

void count_tasks(runs::FoundRun& run) {
    auto log = statelog::open_log(run.record.state_log);
    if (!log || statelog::use_of(log->get()).use == statelog::Use::held) return;
    auto replayed = statelog::replay_file(log->get(), run.record.state_log);
    if (replayed) take_counts(run, replayed->replay.state());
}

}  // namespace barnum
