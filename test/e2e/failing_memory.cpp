// Linked into a program of ours, makes one allocation fail: that with the number FAILING_ALLOCATION, counted
// from 1; with FAILING_FOR_EVER also each after it. In the processes that it starts none fails.
#include <cstddef>
#include <cstdlib>
#include <new>
#include <unistd.h>

namespace {

long first_count() {
    const char* number = std::getenv("FAILING_ALLOCATION");
    return number == nullptr ? 0 : std::atol(number);
}

bool fails() {
    static long left = first_count();
    static const bool is_for_ever = std::getenv("FAILING_FOR_EVER") != nullptr;
    static const pid_t first_process = ::getpid();
    if (left == 0) return false;
    if (left > 1) {
        --left;
        return false;
    }
    if (!is_for_ever) left = 0;
    return ::getpid() == first_process;
}

}  // namespace

void* operator new(std::size_t size) {
    if (fails()) throw std::bad_alloc();
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
