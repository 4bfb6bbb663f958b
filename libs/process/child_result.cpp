#include "process/child_result.hpp"

#include "base/text.hpp"

#include <cstring>
#include <signal.h>
#include <sys/resource.h>

namespace process {

namespace {

std::chrono::microseconds duration_of(const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

ChildUse use_of(const rusage& usage, long parents_memory) {
    constexpr std::uint64_t kibibyte = 1024;
    ChildUse use{duration_of(usage.ru_utime) + duration_of(usage.ru_stime), std::nullopt};
    if (usage.ru_maxrss > parents_memory)
        use.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * kibibyte;
    return use;
}

// Signals that interrupt are often sent to all processes at once, by a terminal or a service manager; and a
// child that is just being started is still in this process's group.
bool was_interrupted(const ChildResult& result) {
    return result.end == ChildResult::End::signalled &&
           (result.code == SIGTERM || result.code == SIGINT || result.code == SIGHUP);
}

std::string describe(const ChildResult& result) {
    using End = ChildResult::End;
    switch (result.end) {
        case End::exited:
            return base::concat("exited with code ", result.code);
        case End::signalled: {
            const char* name = ::sigabbrev_np(result.code);
            return base::concat("was killed by SIG", name != nullptr ? name : "?", " (", result.code, ")");
        }
        case End::timed_out:
            return "took longer than its timeout and was ended";
        case End::cancelled:
            return "was cancelled";
        case End::too_much_output:
            return "wrote too much to its stdout and was ended";
        case End::not_started:
            return base::concat("could not be started: ", result.message,
                                result.is_too_large ? "; its arguments and variables are too large for the "
                                                      "system: give it less, or what is long as a file"
                                                    : "");
    }
    return {};
}

}  // namespace process
