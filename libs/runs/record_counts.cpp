#include "runs/record_counts.hpp"

#include "base/exit_code.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"
#include "statelog/replay_file.hpp"
#include "workflow/counts.hpp"

namespace runs {

void take_counts(FoundRun& run, const workflow::State& state) {
    RunRecord& record = run.record;
    workflow::Counts counts = workflow::counts_of(state);
    record.tasks = {counts.done, counts.left, counts.dropped};
    record.busy_agents.reset();
    if (!state.over()) return;
    bool is_whole = counts.dropped == 0;
    record.end = RunEnd{end_of(run), is_whole ? base::ExitCode::ok : base::ExitCode::failure,
                        is_whole ? "finished" : "failed"};
}

void count_tasks(FoundRun& run) {
    auto log = statelog::open_log(run.record.state_log);
    if (!log || statelog::use_of(log->get()).use == statelog::Use::held) return;
    auto replayed = statelog::replay_file(log->get(), run.record.state_log);
    if (replayed) take_counts(run, replayed->replay.state());
}

}  // namespace runs
