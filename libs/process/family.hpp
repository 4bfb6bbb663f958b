// Ends process groups, processes that carry a mark, and the descendants of both. Killing a process turns its
// children into orphans that cannot be found any more, so all processes are stopped first, in repeated scans,
// until a scan finds none that could still start another. Processes that keep starting others for more than
// 100 ms may leave some behind.
#pragma once

#include "process/marked_processes.hpp"
#include "process/table.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace process {

class Family {
  public:
    // The ids of the groups must not be reused before kill() is called.
    explicit Family(std::vector<int> groups, Environment mark = {})
        : groups_(std::move(groups)), mark_(std::move(mark)) {}

    // Sends SIGTERM to the groups. Remembers their descendants for kill(), because their parents may end
    // meanwhile. Continues processes that were stopped for the scan, but not those that others have stopped.
    void terminate();

    // Sends SIGKILL to all, including processes that others have stopped. Returns how many were alive. The
    // groups are complete after one call; further calls are for other processes, which may end slowly, or
    // were executing another program at that moment and so showed no mark.
    std::size_t kill();

    // One of those that the last call of kill() has killed, as long as one lives: a process ends when it has
    // its next turn on a processor, and later if it waits in the kernel.
    std::optional<int> living() const;

  private:
    void stop(bool with_marked);
    bool stop_once(const Table& table, bool with_marked);
    void resume();

    std::vector<int> groups_;
    Environment mark_;
    std::vector<ProcessInfo> known_;  // each after its parent
    std::vector<ProcessInfo> killed_;
    std::set<std::pair<int, std::uint64_t>> stopped_;  // pid and start time, stopped by this object
};

}  // namespace process
