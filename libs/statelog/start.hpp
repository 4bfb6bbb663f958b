// Where a run begins: its first tasks, or the end of a replayed history. Pure.
#pragma once

#include "statelog/replay.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace statelog {

struct Start {
    workflow::State state;
    std::vector<DroppedRecord> dropped;  // the first ones
    std::size_t dropped_count = 0;       // of all
    workflow::UsageTable usage = {};     // of attempts that have ended
    // The usage of attempts that have not ended.
    std::map<workflow::TaskId, workflow::UsageHistory> running_usage = {};
    std::map<workflow::TaskId, Time> asked_since = {};  // those of State::asked; now, if not here

    // All that agents have used.
    workflow::Usage used() const;
};

// The start of a run that goes on after the entries that were replayed; takes the state out of `replay`.
Start start_after(Replay& replay);

}  // namespace statelog
