// The process groups of this process's children, one list for all of it, kept where a process guard can read
// it even after this process was killed. Signals nobody.
#pragma once

#include "base/error.hpp"

#include <vector>

namespace process {

struct LiveGroup {
    int id = 0;
    bool may_leave = false;  // what leaves the group does so for good reason and is let go
};

// A group's id may be used by others once its leader is reaped, so it is taken off the list before. Beyond
// 16384 groups more are left out. From one thread.
void add_live_group(LiveGroup group);
void remove_live_group(int id);
std::vector<LiveGroup> live_groups();

// From now on children made by fork() see the list as it changes here.
base::Result<void> share_live_groups();

}  // namespace process
