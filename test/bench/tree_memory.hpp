// Counts what this program has allocated, by operators new and delete of its own. One thread.
#pragma once

#include <cstddef>

namespace tree {

// Bytes that are allocated now, as malloc rounds them.
std::size_t bytes_in_use();

// The most that bytes_in_use() has been since reset_peak().
std::size_t peak_bytes();
void reset_peak();

}  // namespace tree
