#include "process/live_groups.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace process {

namespace {

// 0: free; negative: a group that may be left. Atomic, because the writer may be killed at any moment.
using Slot = std::atomic<int>;
using Slots = std::array<Slot, 16384>;
static_assert(Slot::is_always_lock_free);

Slots*& slots() {
    static Slots own{};
    static Slots* current = &own;
    return current;
}

}  // namespace

void add_live_group(LiveGroup group) {
    auto place = std::find(slots()->begin(), slots()->end(), 0);
    if (place != slots()->end()) *place = group.may_leave ? -group.id : group.id;
}

void remove_live_group(int id) {
    auto place = std::find_if(slots()->begin(), slots()->end(),
                              [&](const Slot& slot) { return std::abs(slot) == id; });
    if (place != slots()->end()) *place = 0;
}

std::vector<LiveGroup> live_groups() {
    std::vector<LiveGroup> groups;
    for (const Slot& slot : *slots())
        if (int id = slot; id != 0) groups.push_back({std::abs(id), id < 0});
    return groups;
}

// New memory each time: a child that was forked earlier must not see later changes.
base::Result<void> share_live_groups() {
    void* memory = ::mmap(nullptr, sizeof(Slots), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return base::system_error("cannot share the list of process groups");
    auto* shared = new (memory) Slots{};
    auto groups = live_groups();
    slots() = shared;
    for (LiveGroup group : groups)
        add_live_group(group);
    return {};
}

}  // namespace process
