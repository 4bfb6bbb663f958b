#include "tree_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

// Of all threads; one that waits for the disk allocates as well.
std::atomic<bool> counting = false;
std::atomic<std::size_t> in_use = 0;
std::atomic<std::size_t> most_in_use = 0;

void* counted(void* block) {
    if (!block) throw std::bad_alloc();
    if (!counting.load(std::memory_order_relaxed)) return block;
    std::size_t size = malloc_usable_size(block);
    std::size_t now = in_use.fetch_add(size, std::memory_order_relaxed) + size;
    std::size_t most = most_in_use.load(std::memory_order_relaxed);
    while (most < now && !most_in_use.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
    }
    return block;
}

void release(void* block) {
    if (block && counting.load(std::memory_order_relaxed))
        in_use.fetch_sub(malloc_usable_size(block), std::memory_order_relaxed);
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

MemoryCount::MemoryCount() {
    in_use = 0;
    most_in_use = 0;
    counting = true;
}
MemoryCount::~MemoryCount() {
    counting = false;
}

std::size_t MemoryCount::bytes() const {
    return in_use;
}
std::size_t MemoryCount::peak() const {
    return most_in_use;
}

}  // namespace tree
