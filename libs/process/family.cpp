#include "process/family.hpp"

#include <chrono>
#include <signal.h>

namespace process {

namespace {

using Clock = std::chrono::steady_clock;

// The search ends when both are used up: on a busy machine a single scan may take long.
constexpr int fewest_looks = 8;
constexpr std::chrono::milliseconds stop_time{100};

// Whether the process can start no other. A process with a single thread cannot, once it has got SIGSTOP; one
// with several threads stops only when each thread has got it. In state D it waits in the kernel, perhaps for
// its vfork child, which was stopped.
bool is_held(const ProcessInfo& process, bool was_told) {
    bool is_stopped = process.state == 'T' || process.state == 't';
    return is_stopped || (was_told && (process.threads == 1 || process.state == 'D'));
}

}  // namespace

void Family::terminate() {
    stop(false);
    for (int group : groups_)
        ::kill(-group, SIGTERM);
    resume();
}

// Kills the youngest first and the groups last: if the parent of stopped processes in a group of their own
// ends, the kernel continues them (SIGCONT).
std::size_t Family::kill() {
    stop(true);
    std::size_t lived = 0;
    for (auto process = known_.rbegin(); process != known_.rend(); ++process)
        if (signal_process(*process, SIGKILL)) ++lived;
    for (int group : groups_)
        ::kill(-group, SIGKILL);
    groups_.clear();
    stopped_.clear();
    return lived;
}

// The first scan may use a recent table, which is cheap if many families end at the same time, unless it
// would miss, and so drop, known processes that are younger than the table.
void Family::stop(bool with_marked) {
    if (known_.empty() && !groups_.empty()) stop_seen(Table::recent(), false);
    auto end = Clock::now() + stop_time;
    for (int looks = 0; looks < fewest_looks || Clock::now() < end; ++looks)
        if (!stop_seen(Table::now(), with_marked)) return;
}

// Returns whether some of them may have started other processes since.
bool Family::stop_seen(const Table& table, bool with_marked) {
    if (with_marked)
        for (const ProcessInfo& process : marked_processes(table, mark_))
            known_.push_back(process);
    known_ = table.family(groups_, known_);
    bool some_ran = false;
    for (const ProcessInfo& process : known_) {
        std::pair id(process.pid, process.start);
        if (is_held(process, stopped_.contains(id)) || !signal_process(process, SIGSTOP)) continue;
        stopped_.insert(id);
        some_ran = true;
    }
    return some_ran;
}

void Family::resume() {
    for (auto process = known_.rbegin(); process != known_.rend(); ++process)
        if (stopped_.contains({process->pid, process->start})) signal_process(*process, SIGCONT);
    stopped_.clear();
}

}  // namespace process
