// A snapshot of the processes in /proc. Reading it takes longer the more processes there are, and they go on
// meanwhile. Finds the descendants of a process group, even if they have changed their session or
// environment.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace process {

struct ProcessInfo {
    int pid = 0;
    int parent = 0;
    int group = 0;
    std::uint64_t start =
        0;           // ticks since boot; identifies the process together with the pid, which may be reused
    char state = 0;  // R, S, D, T …, as in proc(5)
    int threads = 0;
};

// The pids of all users' processes, including zombies; unordered. Empty without /proc.
std::vector<int> process_ids();

// The living processes, without zombies.
class Table {
  public:
    static Table now();

    // A snapshot that is at most 20 ms old, shared by callers that need one at the same time. To be called
    // from one thread only.
    static const Table& recent();

    const std::vector<ProcessInfo>& processes() const { return processes_; }

    // The members of `groups`, those of `known`, and the descendants of both through living parents, each
    // after its parent. Guards of other runs are excluded: they have to end processes themselves.
    std::vector<ProcessInfo> family(const std::vector<int>& groups,
                                    const std::vector<ProcessInfo>& known) const;
    std::optional<int> member_of(int group) const;  // the pid of any of them
    bool is_guard(int pid) const { return guards_.contains(pid); }

  private:
    std::vector<ProcessInfo> processes_;
    std::unordered_set<int> guards_;
};

// `pid` or a descendant of it that was stopped, by SIGSTOP for example, but not by a debugger. Reads only
// what belongs to these processes.
std::optional<int> stopped_process(int pid);

// Whether exactly this process exists, and is no zombie.
bool is_alive(const ProcessInfo& process);

// Signals exactly this process. False if it is gone, or if this process may not signal it.
bool signal_process(const ProcessInfo& process, int signal);

// The process name of a guard.
inline constexpr const char* guard_name = "barnum-guard";

}  // namespace process
