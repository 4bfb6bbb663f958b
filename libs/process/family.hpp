// Process groups, who carries a mark, and what descends from either, as they are brought to an end. A
// process that is killed leaves orphans that nobody finds, so all are stopped before any is
// signalled, look by look, until a look finds none that could still start another. Who starts them faster
// than that, for 100 ms on end, may leave some behind. Knows nothing of what the groups do.
#pragma once

#include "process/marked_processes.hpp"
#include "process/table.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace process {

class Family {
  public:
    // The groups' ids must not be used again before kill().
    explicit Family(std::vector<int> groups, Environment mark = {})
        : groups_(std::move(groups)), mark_(std::move(mark)) {}

    // SIGTERM to the groups. Who descends from them until then is remembered for kill(), though his parents
    // end meanwhile. What was stopped for it goes on, what others had stopped does not.
    void terminate();

    // SIGKILL to all, also to what was stopped by others. Returns how many lived until then. Once is enough
    // for the groups; later calls look after the others only, who may be slow to go, or were just becoming
    // another program and had no mark.
    std::size_t kill();

  private:
    void stop(bool with_marked);
    bool stop_seen(const Table& table, bool with_marked);
    void resume();

    std::vector<int> groups_;
    Environment mark_;
    std::vector<ProcessInfo> known_;                   // each behind its parent
    std::set<std::pair<int, std::uint64_t>> stopped_;  // pid and start, by us
};

}  // namespace process
