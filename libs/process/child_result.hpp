// How a child process ended, and its output.
#pragma once

#include <string>

namespace process {

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
    std::string error_output;  // the last 64 KiB of stderr
    std::string message;       // not_started only

    bool succeeded() const { return end == End::exited && code == 0; }
};

// Whether it was ended by a signal that may interrupt its parent as well.
bool was_interrupted(const ChildResult& result);

// "exited with code 3", "was killed by SIGSEGV", "took longer than its timeout", …
std::string describe(const ChildResult& result);

}  // namespace process
