// How a child process ended, and its output.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

struct rusage;

namespace process {

// What a child has used, with those of its descendants for which it, or they in turn, have waited.
struct ChildUse {
    std::chrono::microseconds cpu{};  // of all of them, user and system
    // Resident bytes of the largest of them. Empty if that is not more than this process has had when it
    // started the child: Linux counts the memory of a process's parent as its own until it has executed its
    // program.
    std::optional<std::uint64_t> peak_memory;
};

struct ChildResult {
    enum class End {
        exited,           // `code` is the exit code
        signalled,        // `code` is the signal
        timed_out,        // and was killed
        cancelled,        // the coroutine got a terminal cancellation, and the child was killed
        too_much_output,  // and was killed
        not_started,      // `message` says why
    };
    End end = End::not_started;
    int code = 0;
    std::string output;        // stdout
    std::string error_output;  // the last 64 KiB of stderr, of what the filter has given
    std::string message;       // not_started only
    // not_started: its arguments and variables are larger than the system allows, and will be the next time.
    bool is_too_large = false;
    ChildUse use = {};

    bool succeeded() const { return end == End::exited && code == 0; }
};

// `parents_memory`: the peak of this process's memory when it started the child, in kibibytes.
ChildUse use_of(const rusage& usage, long parents_memory);

// Whether it was ended by a signal that may interrupt its parent as well.
bool was_interrupted(const ChildResult& result);

// "exited with code 3", "was killed by SIGSEGV", "took longer than its timeout", …
std::string describe(const ChildResult& result);

}  // namespace process
