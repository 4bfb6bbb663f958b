// The processes that there are, as /proc tells it: a look at one moment, behind which they go on, and which
// takes the longer the more there are. Finds those that have left a process group by their descent from it,
// whatever their session and environment.
#pragma once

#include <cstdint>
#include <vector>

namespace io {

struct ProcessEntry {
    int pid = 0;
    int parent = 0;
    int group = 0;
    std::uint64_t start = 0;  // ticks since boot: with the pid, who it is even when the pid is used again
};

// Of everybody, zombies too; unordered. Empty where there is no /proc.
std::vector<int> process_ids();

// The living ones, that is without zombies.
class ProcessTable {
  public:
    static ProcessTable now();

    // At most 20 ms old, for many that look at the same time. From one thread.
    static const ProcessTable& recent();

    // Of `known`, and of what descends from it or from a member of `groups` through living parents, all that
    // lives outside of `groups`. Other runs' process guards are left out: they have their own to see to.
    std::vector<ProcessEntry> escapees(const std::vector<int>& groups,
                                       const std::vector<ProcessEntry>& known) const;
    bool has_group(int group) const;

  private:
    struct Process {
        ProcessEntry entry;
        bool is_guard = false;
    };
    std::vector<Process> processes_;
};

// SIGKILL to exactly that process. False if it is gone, or not ours to kill.
bool kill_process(const ProcessEntry& process);

// Shown as the name of a process guard.
inline constexpr const char* guard_name = "barnum-guard";

}  // namespace io
