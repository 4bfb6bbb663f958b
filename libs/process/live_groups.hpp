// The process groups of this process's children. One list per process, in memory that the guard can read even
// after this process was killed. Sends no signals.
#pragma once

#include "base/error.hpp"

#include <vector>

namespace process {

struct LiveGroup {
    int id = 0;
    bool may_leave = false;  // processes may leave the group, and are not killed then
};

// A group must be removed before its leader is reaped, because its id may be reused afterwards. More than
// 16384 groups are not recorded. To be called from one thread only.
void add_live_group(LiveGroup group);
void remove_live_group(int id);
std::vector<LiveGroup> live_groups();

// From now on, children created by fork() see all changes of the list.
base::Result<void> share_live_groups();

}  // namespace process
