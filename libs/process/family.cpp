#include "process/family.hpp"

#include <algorithm>
#include <chrono>
#include <signal.h>

namespace process {

namespace {

using Clock = std::chrono::steady_clock;

// The search ends when both are used up: on a busy machine a single scan may take long.
constexpr int min_scans = 8;
constexpr std::chrono::milliseconds stop_time{100};

// Whether the process can start no other. A process with a single thread cannot, once it has got SIGSTOP; one
// with several threads stops only when each thread has got it. In state D it waits in the kernel, perhaps for
// its vfork child, which was stopped.
bool cannot_fork(const ProcessInfo& process, bool was_signalled) {
    bool is_stopped = process.state == 'T' || process.state == 't';
    return is_stopped || (was_signalled && (process.threads == 1 || process.state == 'D'));
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
    killed_.clear();
    for (auto process = known_.rbegin(); process != known_.rend(); ++process)
        if (signal_process(*process, SIGKILL)) killed_.push_back(*process);
    for (int group : groups_)
        ::kill(-group, SIGKILL);
    groups_.clear();
    stopped_.clear();
    return killed_.size();
}

std::optional<int> Family::living() const {
    auto living = std::ranges::find_if(killed_, is_alive);
    return living == killed_.end() ? std::nullopt : std::optional(living->pid);
}

// The first scan may use a recent table, which is cheap if many families end at the same time, unless it
// would miss, and so drop, known processes that are younger than the table.
void Family::stop(bool with_marked) {
    if (known_.empty() && !groups_.empty()) stop_once(Table::recent(), false);
    auto end = Clock::now() + stop_time;
    for (int scans = 0; scans < min_scans || Clock::now() < end; ++scans)
        if (!stop_once(Table::now(), with_marked)) return;
}

// Returns whether some of them may have started other processes since.
bool Family::stop_once(const Table& table, bool with_marked) {
    if (with_marked)
        for (const ProcessInfo& process : marked_processes(table, mark_))
            known_.push_back(process);
    known_ = table.family(groups_, known_);
    bool any_running = false;
    for (const ProcessInfo& process : known_) {
        std::pair id(process.pid, process.start);
        if (cannot_fork(process, stopped_.contains(id)) || !signal_process(process, SIGSTOP)) continue;
        stopped_.insert(id);
        any_running = true;
    }
    return any_running;
}

void Family::resume() {
    for (auto process = known_.rbegin(); process != known_.rend(); ++process)
        if (stopped_.contains({process->pid, process->start})) signal_process(*process, SIGCONT);
    stopped_.clear();
}

}  // namespace process
