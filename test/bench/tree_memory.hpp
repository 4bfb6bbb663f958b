// Counts what this program allocates, by operators new and delete of its own. Only while somebody asks: to
// count costs time.
#pragma once

#include <cstddef>

namespace tree {

// From its construction to its end; one at a time. What was allocated before must not be freed meanwhile.
class MemoryCount {
  public:
    MemoryCount();
    ~MemoryCount();
    MemoryCount(const MemoryCount&) = delete;
    MemoryCount& operator=(const MemoryCount&) = delete;

    // Bytes that are allocated now, as malloc rounds them, and the most that they have been.
    std::size_t bytes() const;
    std::size_t peak() const;
};

}  // namespace tree
