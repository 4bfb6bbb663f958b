#include "tree_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::size_t in_use = 0;
std::size_t peak = 0;

void* counted(void* block) {
    if (!block) throw std::bad_alloc();
    in_use += malloc_usable_size(block);
    peak = std::max(peak, in_use);
    return block;
}

void release(void* block) {
    if (block) in_use -= malloc_usable_size(block);
    std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(std::malloc(std::max<std::size_t>(size, 1)));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    auto to = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(to, (size + to - 1) / to * to));
}
void operator delete(void* block) noexcept {
    release(block);
}
void operator delete(void* block, std::size_t) noexcept {
    release(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    release(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    release(block);
}

namespace tree {

std::size_t bytes_in_use() {
    return in_use;
}
std::size_t peak_bytes() {
    return peak;
}
void reset_peak() {
    peak = in_use;
}

}  // namespace tree
