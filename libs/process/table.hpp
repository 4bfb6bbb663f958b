// The processes that there are, as /proc tells it: a look at one moment, behind which they go on, and which
// takes the longer the more there are. Finds by descent what belongs to a process group, whatever the session
// and the environment of those that have left it.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace process {

struct ProcessInfo {
    int pid = 0;
    int parent = 0;
    int group = 0;
    std::uint64_t start = 0;  // ticks since boot: with the pid, who it is even when the pid is used again
    char state = 0;           // R, S, D, T …, as proc(5) has it
    int threads = 0;
};

// Of everybody, zombies too; unordered. Empty where there is no /proc.
std::vector<int> process_ids();

// The living ones, that is without zombies.
class Table {
  public:
    static Table now();

    // At most 20 ms old, for many that look at the same time. From one thread.
    static const Table& recent();

    const std::vector<ProcessInfo>& processes() const { return processes_; }

    // The members of `groups`, those of `known`, and what descends from either through living parents, each
    // behind its parent. Other runs' process guards are left out: they have their own to see to.
    std::vector<ProcessInfo> family(const std::vector<int>& groups,
                                    const std::vector<ProcessInfo>& known) const;
    bool has_group(int group) const;
    bool is_guard(int pid) const { return guards_.contains(pid); }

  private:
    std::vector<ProcessInfo> processes_;
    std::unordered_set<int> guards_;
};

// To exactly that process. False if it is gone, or not ours to signal.
bool signal_process(const ProcessInfo& process, int signal);

// Shown as the name of a process guard.
inline constexpr const char* guard_name = "barnum-guard";

}  // namespace process
