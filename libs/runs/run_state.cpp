#include "runs/run_state.hpp"

#include <array>

namespace runs {

RunState state_of(const RunRecord& record, Liveness liveness, bool is_resumed) {
    if (is_resumed) return RunState::resumed;  // by a run that may hold the lock of this one's log as well
    if (!record.end && liveness == Liveness::alive)
        return record.is_paused ? RunState::paused : RunState::running;
    if (record.is_damaged) return RunState::damaged;
    if (!record.end) return RunState::lost;
    if (record.end->result == "waiting_for_human") return RunState::waiting;
    if (record.end->result == "interrupted") return RunState::interrupted;
    return record.end->exit_code == 0 ? RunState::finished : RunState::failed;
}

bool is_living(RunState state) {
    return state == RunState::running || state == RunState::paused;
}

bool is_resumable(const RunRecord& record, RunState state) {
    if (is_living(state) || state == RunState::finished || state == RunState::resumed) return false;
    bool has_unknown_end = (state == RunState::lost || state == RunState::damaged) && !record.end;
    return has_unknown_end || record.tasks.left > 0;
}

std::string_view state_name(RunState state) {
    constexpr std::array<std::string_view, 9> names{"running",     "paused", "finished", "failed", "waiting",
                                                    "interrupted", "lost",   "resumed",  "damaged"};
    return names.at(static_cast<std::size_t>(state));
}

}  // namespace runs
