#include "statelog/start.hpp"

namespace statelog {

workflow::Usage Start::used() const {
    workflow::UsageTable all = usage;
    for (const auto& [task, noted] : running_usage)
        if (const workflow::Task* running = state.find(task)) all.add(running->step, noted.back().used);
    return all.total();
}

Start start_after(Replay& replay) {
    return {replay.take_state(), replay.dropped(),       replay.dropped_count(),
            replay.usage(),      replay.running_usage(), replay.asked_since()};
}

}  // namespace statelog
